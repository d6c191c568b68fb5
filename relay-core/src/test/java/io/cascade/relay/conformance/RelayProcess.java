package io.cascade.relay.conformance;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.Hops;
import io.cascade.relay.TestChain;
import io.cascade.relay.TestParts;
import io.cascade.relay.pump.PumpMode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A relay in a process of its own, under limits and with faults that a test chooses. */
final class RelayProcess implements AutoCloseable {
  private static final String RELAY_FLAGS =
      "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xmx64m --enable-native-access=ALL-UNNAMED"
          + " --sun-misc-unsafe-memory-access=allow -Dio.netty.leakDetection.level=paranoid"
          + " -Dio.netty.leakDetection.targetRecords=0";
  private static final long STOP_SECONDS = 30;

  private final Process process;
  private final boolean encrypted;
  private final BufferedReader output;
  private final int controlPort;
  private final int hopPort;
  private final List<String> said = new ArrayList<>();

  private RelayProcess(Process process, boolean encrypted) throws IOException {
    this.process = process;
    this.encrypted = encrypted;
    this.output = process.inputReader();
    String line = output.readLine();
    while (line != null && !line.startsWith("ready ")) {
      said.add(line);
      line = output.readLine();
    }
    if (line == null) {
      throw new IOException("the relay did not start: " + said);
    }
    String[] ports = line.split(" ", -1);
    this.controlPort = Integer.parseInt(ports[1]);
    this.hopPort = Integer.parseInt(ports[2]);
    Thread.startVirtualThread(this::readOn);
  }

  /** How a relay's process is started. */
  record Start(RelayMode mode, long memoryBytes, List<String> before, Map<String, String> env) {
    static Start of(Transport transport) {
      return of(RelayMode.of(transport, PumpMode.AUTO, Hops.PLAIN));
    }

    static Start of(RelayMode mode) {
      return new Start(mode, 64L << 20, List.of(), Map.of());
    }

    Start memory(long bytes) {
      return new Start(mode, bytes, before, env);
    }

    /** Started by another program, such as one that sets limits. */
    Start by(String... command) {
      return new Start(mode, memoryBytes, List.of(command), env);
    }

    Start with(Map<String, String> environment) {
      return new Start(mode, memoryBytes, before, environment);
    }

    RelayProcess start(String name) throws IOException {
      List<String> command = new ArrayList<>(before);
      command.add(ProcessHandle.current().info().command().orElse("java"));
      command.addAll(List.of(RELAY_FLAGS.split(" ", -1)));
      command.addAll(List.of("-cp", System.getProperty("java.class.path", ".")));
      command.add(RelayMain.class.getName());
      command.addAll(List.of(mode.transport().toString(), mode.pump().toString()));
      command.addAll(List.of(mode.hops().name(), Long.toString(memoryBytes), name));
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.environment().putAll(env);
      return new RelayProcess(builder.start(), mode.hops().areEncrypted());
    }
  }

  /** Installs a chain over relays in this order, and answers where it begins. */
  static InetSocketAddress chain(
      UUID id, List<RelayProcess> relays, InetSocketAddress destination, StreamOptions options) {
    List<String> keys = relays.stream().map(_ -> TestChain.newKey()).toList();
    List<@Nullable String> certificates = new ArrayList<>();
    for (RelayProcess relay : relays) {
      certificates.add(relay.certificate());
    }
    @Nullable InstalledPart first = null;
    for (int i = relays.size() - 1; i >= 0; i--) {
      boolean last = i == relays.size() - 1;
      ChainPart part =
          TestParts.of(
              i,
              86_400,
              i == 0 ? Ingress.builder().port(0).build() : null,
              i == 0 ? null : new HopInlet(keys.get(i), certificates.get(i - 1)),
              last
                  ? null
                  : HopOutlet.builder()
                      .host("127.0.0.1")
                      .port(relays.get(i + 1).hopPort)
                      .key(keys.get(i + 1))
                      .certificateSha256(certificates.get(i + 1))
                      .build(),
              last
                  ? Egress.builder()
                      .host("127.0.0.1")
                      .port(destination.getPort())
                      .proxyProtocol(false)
                      .build()
                  : null,
              options,
              null);
      first = relays.get(i).control().install(id, part, TestChain.PATIENCE);
    }
    return new InetSocketAddress(
        "127.0.0.1", Objects.requireNonNull(Objects.requireNonNull(first).ingressPort()));
  }

  private @Nullable String certificate() {
    return encrypted ? control().health(TestChain.PATIENCE).certificateSha256() : null;
  }

  RelayControlClient control() {
    return new RelayControlClient(controlUri(), null);
  }

  URI controlUri() {
    return URI.create("http://127.0.0.1:" + controlPort);
  }

  /** Open descriptors that are connections. */
  long connections() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc", Long.toString(process.pid()), "fd"))) {
      return all.filter(RelayProcess::isSocket).count();
    }
  }

  private static boolean isSocket(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString().startsWith("socket:");
    } catch (IOException e) {
      return false; // closed meanwhile
    }
  }

  /** What it has printed. */
  String text() {
    synchronized (said) {
      return String.join("\n", said);
    }
  }

  /** Stops it; answers whether it ended well, with no buffer leaked. */
  boolean stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  private void readOn() {
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        synchronized (said) {
          said.add(line);
        }
      }
    } catch (IOException e) {
      // it has ended
    }
  }
}
