package io.cascade.studies.bench;

import io.cascade.api.HostPort;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.command.Version;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.CascadeProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * This project's relay with one event loop by default, or a chain of several relays, each of which
 * is a process started by the launcher. The parts are installed through the relays' control
 * endpoints.
 *
 * @param tls TLS library of the connections between relays; null for no TLS
 * @param framed whether a segment with one pipe connects the first relay to the last
 * @param javaOptions in addition to those of the launcher
 */
record CascadeRelays(
    int relays,
    String pump,
    @Nullable String tls,
    boolean framed,
    int eventLoops,
    String javaOptions,
    CascadeCommand cascade)
    implements BenchContender {
  /** Lets the relay choose. */
  static final String AUTO = "auto";

  /** Forces copying through buffers. */
  static final String COPY = "copy";

  /** Forces splicing through pipes in the kernel. */
  static final String SPLICE = "splice";

  CascadeRelays(int relays, String pump, CascadeCommand cascade) {
    this(relays, pump, null, false, 1, PAUSES_LOGGED, cascade);
  }

  /** Relays with TLS between them, using the library that a relay chooses itself. */
  static CascadeRelays encrypted(int relays, CascadeCommand cascade) {
    return new CascadeRelays(relays, AUTO, AUTO, false, 1, PAUSES_LOGGED, cascade);
  }

  /** Relays with the JDK's TLS between them. */
  static CascadeRelays encryptedByJdk(int relays, CascadeCommand cascade) {
    return new CascadeRelays(relays, AUTO, "jdk", false, 1, PAUSES_LOGGED, cascade);
  }

  /** Relays with a framed pipe between them, which excludes splicing. */
  static CascadeRelays framed(int relays, CascadeCommand cascade) {
    return new CascadeRelays(relays, COPY, null, true, 1, PAUSES_LOGGED, cascade);
  }

  CascadeRelays withEventLoops(int count) {
    return new CascadeRelays(relays, pump, tls, framed, count, javaOptions, cascade);
  }

  CascadeRelays withJavaOptions(String added) {
    return new CascadeRelays(
        relays, pump, tls, framed, eventLoops, javaOptions + " " + added, cascade);
  }

  private static final String PAUSES_LOGGED = "-Xlog:gc";
  private static final Duration ANSWER = Duration.ofSeconds(60);
  private static final int A_DAY_SECONDS = 86_400;
  private static final int MOST_STREAMS = 50_000;
  private static final int KEY_BYTES = 32;

  @Override
  public String name() {
    return (relays == 1 ? "cascade" : relays + " x cascade")
        + (pump.equals(AUTO) ? "" : " " + pump)
        + (framed ? " framed" : "")
        + (tls == null ? "" : tls.equals(AUTO) ? " tls" : " tls " + tls);
  }

  @Override
  public String description() {
    return "cascade "
        + Version.text()
        + "; --event-loops "
        + eventLoops
        + " --pump "
        + pump
        + (relays == 1 ? ", ingress and egress in one relay" : ", a chain of " + relays)
        + (framed ? ", a segment of one framed pipe between the first and the last" : "")
        + (tls == null
            ? ""
            : ", TLS 1.3 between them (--tls-library " + tls + "), both certificates checked");
  }

  @Override
  public Optional<String> sitsOut(Trial trial) {
    if (pump.equals(SPLICE) && trial instanceof Trial.Start) {
      return Optional.of(name() + " starts as cascade does");
    }
    if (pump.equals(SPLICE) && trial instanceof Trial.Idle) {
      return Optional.of(name() + " holds no pipe for an idle stream and is not measured again");
    }
    if (pump.equals(COPY) && relays == 1 && !(trial instanceof Trial.Bulk)) {
      return Optional.of(name() + " does what cascade does, which chooses for bulk alone");
    }
    return Optional.empty();
  }

  @Override
  public Running start(ProxyProcesses proxies, int destinationPort)
      throws IOException, InterruptedException {
    Path folder = proxies.newFolder(name());
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < relays; i++) {
      processes.add(start(proxies, folder, i));
    }
    List<Relay> ready = new ArrayList<>();
    for (int i = 0; i < relays; i++) {
      ready.add(awaitReady(processes.get(i), log(folder, i)));
    }
    int port = install(ready, destinationPort);
    Running running =
        Forwarding.await(name(), port, log(folder, 0), processes.toArray(new Process[0]));
    HeapAllocations garbage = new HeapAllocations(ready.stream().map(Relay::address).toList());
    List<PauseLog> pauses =
        IntStream.range(0, relays).mapToObj(i -> new PauseLog(log(folder, i))).toList();
    return new Running(running.port(), running.processes(), garbage, pauses, 0);
  }

  private Process start(ProxyProcesses proxies, Path folder, int index) throws IOException {
    ProcessBuilder relay =
        cascade.verb(
            "relay",
            "--name",
            "bench-" + index,
            "--listen",
            "127.0.0.1",
            "--hop-port",
            "0",
            "--control-port",
            "0",
            "--event-loops",
            Integer.toString(eventLoops),
            "--pump",
            pump,
            "--tls-library",
            tls == null ? AUTO : tls,
            "--max-streams",
            Integer.toString(MOST_STREAMS),
            "--drain",
            "0",
            "--spool-dir",
            folder.resolve("spool-" + index).toString());
    relay.environment().put("CASCADE_DIRECT_MEMORY", "4g"); // buffers of up to 50,000 streams
    relay
        .environment()
        .merge("CASCADE_JAVA_OPTS", javaOptions, (given, added) -> given + " " + added);
    return proxies.start(relay, log(folder, index));
  }

  /** Installs the last relay's part first, so that the next hop of each part already listens. */
  private int install(List<Relay> relays, int destinationPort) {
    UUID chain = UUID.randomUUID();
    @Nullable String keyAfter = null;
    @Nullable InstalledPart installed = null;
    for (int i = relays.size() - 1; i >= 0; i--) {
      boolean last = i == relays.size() - 1;
      @Nullable String keyBefore = i == 0 ? null : newKey();
      HostPort next = last ? null : relays.get(i + 1).hop();
      PartInlet inlet =
          PartInlet.builder()
              .hop(hop(i))
              .ingress(i == 0 ? Ingress.builder().port(0).build() : null)
              .relay(
                  keyBefore == null
                      ? null
                      : new HopInlet(keyBefore, certificate(relays.get(i - 1))))
              .build();
      PartOutlet outlet =
          PartOutlet.builder()
              .hop(hop(i + 1))
              .relay(
                  next == null || keyAfter == null
                      ? null
                      : HopOutlet.builder()
                          .host(next.host())
                          .port(next.port())
                          .key(keyAfter)
                          .certificateSha256(certificate(relays.get(i + 1)))
                          .build())
              .egress(
                  last ? Egress.builder().host("127.0.0.1").port(destinationPort).build() : null)
              .build();
      ChainPart part =
          ChainPart.builder()
              .inlets(List.of(inlet))
              .outlets(List.of(outlet))
              .leaseSeconds(A_DAY_SECONDS)
              .build();
      installed = relays.get(i).control().install(chain, part, ANSWER);
      keyAfter = keyBefore;
    }
    if (installed == null || installed.ingressPort() == null) {
      throw new IllegalStateException("the first relay opened no port");
    }
    return installed.ingressPort();
  }

  /** The address of the hop that ends at the relay of this index, or at the destination. */
  private HopAddress hop(int index) {
    if (!framed) {
      return new HopAddress(0, 0, index);
    }
    if (index == relays) {
      return new HopAddress(2, 0, 0);
    }
    return index == 0 ? new HopAddress(0, 0, 0) : new HopAddress(1, 0, index - 1);
  }

  private @Nullable String certificate(Relay relay) {
    return tls != null ? relay.control().health(ANSWER).certificateSha256() : null;
  }

  private static Relay awaitReady(Process process, Path log) {
    Matcher ready = CascadeProcess.awaitReady("a relay", process, log, CascadeProcess.RELAY_READY);
    URI address = URI.create(ready.group(2));
    return new Relay(
        address, new RelayControlClient(address, null), HostPort.parse(ready.group(3)));
  }

  private static Path log(Path folder, int index) {
    return folder.resolve("log-" + index);
  }

  private static String newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }

  private record Relay(URI address, RelayControlClient control, HostPort hop) {}
}
