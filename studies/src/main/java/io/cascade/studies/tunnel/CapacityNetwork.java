package io.cascade.studies.tunnel;

import io.cascade.command.CommandException;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.CascadeProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/**
 * Two hosts and two routers, with links of the kernel's own that lose and delay nothing:
 *
 * <pre>
 *  a ─ lan0 ─ r1 ═ wan0, wan1 ═ r2 ─ lan0 ─ b
 * </pre>
 */
final class CapacityNetwork implements AutoCloseable {
  private static final int CONNECT_MILLIS = 30_000;
  private static final int WRITE_BYTES = 256 << 10;
  private static final double WARM_UP_SECONDS = 5;
  private static final double BYTES_A_GIBIBYTE = 1 << 30;
  private static final String KEY = "c0".repeat(32);

  private final NetworkNamespace source = NetworkNamespace.make("a");
  private final NetworkNamespace near = NetworkNamespace.make("r1");
  private final NetworkNamespace far = NetworkNamespace.make("r2");
  private final NetworkNamespace target = NetworkNamespace.make("b");
  private final List<CascadeProcess> processes = new ArrayList<>();
  private final Path folder;

  /**
   * Rate that one way carried.
   *
   * @param cpuSecondsPerGibibyte of the processes that carried packets, all together
   */
  record Figure(String way, double bitsPerSecond, double cpuSecondsPerGibibyte) {}

  private CapacityNetwork(Path folder) {
    this.folder = folder;
  }

  static CapacityNetwork up() throws IOException {
    Path folder = Files.createTempDirectory("cascade-capacity");
    Path key = Files.writeString(folder.resolve("key"), KEY); // Of a network nobody else reaches.
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(folder.resolve("settings"), "# Every setting is a flag.\n");
    CapacityNetwork network = new CapacityNetwork(folder);
    try {
      network.link(network.source, "lan0", "10.71.0.2/24", network.near, "10.71.0.1/24");
      network.link(network.near, "wan0", "192.0.2.1/24", network.far, "192.0.2.2/24");
      network.link(network.near, "wan1", "198.51.100.1/24", network.far, "198.51.100.2/24");
      network.link(network.far, "lan0", "10.72.0.1/24", network.target, "10.72.0.2/24");
      ip(network.source, "route add default via 10.71.0.1");
      ip(network.target, "route add default via 10.72.0.1");
      ip(network.near, "route add 10.72.0.0/24 via 192.0.2.2");
      ip(network.far, "route add 10.71.0.0/24 via 192.0.2.1");
      for (NetworkNamespace router : List.of(network.near, network.far)) {
        router.call(() -> {
          set("ip_forward", "1");
          set("conf/all/rp_filter", "0");
          return true;
        });
      }
      return network;
    } catch (RuntimeException e) {
      network.close();
      throw e;
    }
  }

  private void link(
      NetworkNamespace one, String device, String address, NetworkNamespace other, String there) {
    ip(
        one,
        "link set lo up",
        "link add %s type veth peer name %s netns %d".formatted(device, device, other.threadId()),
        "address add %s dev %s".formatted(address, device),
        "link set %s up".formatted(device));
    ip(
        other,
        "link set lo up",
        "address add %s dev %s".formatted(there, device),
        "link set %s up".formatted(device));
  }

  private static void ip(NetworkNamespace network, String... lines) {
    network.call(() -> {
      Process process = new ProcessBuilder("ip", "-batch", "-").redirectErrorStream(true).start();
      try (OutputStream input = process.getOutputStream()) {
        input.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
      }
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new CommandException("ip: " + said);
      }
      return true;
    });
  }

  private static void set(String setting, String value) throws IOException {
    Files.writeString(Path.of("/proc/sys/net/ipv4", setting), value);
  }

  /** The kernels forward. */
  Figure direct(double seconds) throws Exception {
    return measure("forwarded by the kernels", seconds);
  }

  /** A pair of gateways. */
  Figure tunnelled(double seconds) throws Exception {
    String key = ",key=" + folder.resolve("key");
    start(
        far,
        "gateway ready",
        List.of("gateway", "up", "--name", "r2", "--tun", "tunnel0", "--address", "10.72.0.1"),
        List.of("--listen", "192.0.2.2:7800", "--accept", "r1" + key),
        List.of("--route", "10.71.0.0/24=r1", "--control", folder.resolve("r2") + ".sock"));
    start(
        near,
        "gateway ready",
        List.of("gateway", "up", "--name", "r1", "--tun", "tunnel0", "--address", "10.71.0.1"),
        List.of("--dial", "r2=192.0.2.2:7800" + key),
        List.of("--route", "10.72.0.0/24=r2", "--control", folder.resolve("r1") + ".sock"));
    return measure("one pair of gateways", seconds);
  }

  /** A splitter over two bare devices. */
  Figure split(double seconds) throws Exception {
    start(
        near,
        "scap ready",
        List.of("scap", "up", "--near", "lan0", "--far", "10.72.0.0/24", "--split-after", "0"),
        List.of("--pipe", "wan0,rtt=1ms,via=192.0.2.2", "--pipe", "wan1,rtt=1ms,via=198.51.100.2"));
    return measure("one scap over two devices", seconds);
  }

  @SafeVarargs
  private void start(NetworkNamespace at, String ready, List<String>... options) throws Exception {
    List<String> arguments = new ArrayList<>();
    for (List<String> some : options) {
      arguments.addAll(some);
    }
    CascadeProcess process =
        at.call(() ->
            CascadeProcess.start(
                ready,
                CascadeCommand.ofThisProcess(folder.resolve("settings"))
                    .verb(arguments.toArray(String[]::new)),
                folder.resolve("log"),
                Pattern.compile(ready)));
    processes.add(process);
    var _ = process.awaitReady();
  }

  private Figure measure(String way, double seconds) throws Exception {
    AtomicLong bytes = new AtomicLong();
    try (ServerSocket listener = target.call(() -> new ServerSocket(0, 1));
        Socket socket =
            source.call(() -> {
              Thread.ofPlatform().daemon().start(() -> receive(listener, bytes));
              Socket opened = new Socket();
              opened.connect(
                  new InetSocketAddress("10.72.0.2", listener.getLocalPort()), CONNECT_MILLIS);
              return opened;
            })) {
      Thread.ofPlatform().daemon().start(() -> send(socket));
      Thread.sleep(Math.round(1_000 * WARM_UP_SECONDS));
      long bytesBefore = bytes.get();
      double cpuBefore = cpuSeconds();
      long from = System.nanoTime();
      Thread.sleep(Math.round(1_000 * seconds));
      double passed = (System.nanoTime() - from) / 1e9;
      double carried = bytes.get() - bytesBefore;
      double cpu = cpuSeconds() - cpuBefore;
      return new Figure(way, 8 * carried / passed, cpu * BYTES_A_GIBIBYTE / Math.max(1, carried));
    } finally {
      end();
    }
  }

  private static void receive(ServerSocket listener, AtomicLong bytes) {
    try (Socket socket = listener.accept();
        InputStream input = socket.getInputStream()) {
      byte[] buffer = new byte[WRITE_BYTES];
      for (int read = input.read(buffer); read >= 0; read = input.read(buffer)) {
        bytes.addAndGet(read);
      }
    } catch (SocketException e) {
      // The measurement is over.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void send(Socket socket) {
    byte[] buffer = new byte[WRITE_BYTES];
    try {
      OutputStream output = socket.getOutputStream();
      while (true) {
        output.write(buffer);
      }
    } catch (IOException e) {
      // The measurement is over.
    }
  }

  private double cpuSeconds() {
    return processes.stream().mapToDouble(process -> process.processorTime().toNanos() / 1e9).sum();
  }

  private void end() {
    processes.forEach(CascadeProcess::close);
    processes.clear();
  }

  @Override
  public void close() {
    end();
    for (NetworkNamespace each : List.of(source, near, far, target)) {
      each.close();
    }
    for (String file : List.of("key", "settings", "log")) {
      try {
        Files.deleteIfExists(folder.resolve(file));
      } catch (IOException e) {
        // The system's own cleaning takes it.
      }
    }
    boolean _ = folder.toFile().delete();
  }
}
