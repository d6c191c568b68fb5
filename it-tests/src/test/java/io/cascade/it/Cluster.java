package io.cascade.it;

import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** One orchestrator and three relays, each a process, on loopback ports that the kernel chose. */
final class Cluster implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> RELAYS = List.of("r1", "r2", "r3");

  private final Path folder;
  private final Map<String, Verb> relays = new LinkedHashMap<>();
  private Verb orchestrator;
  private URI address;

  private Cluster(Path folder) throws Exception {
    this.folder = folder;
    this.orchestrator = startOrchestrator("127.0.0.1:0");
    try {
      this.address = readyAt(orchestrator);
    } catch (Exception | AssertionError e) {
      orchestrator.close();
      throw e;
    }
  }

  static Cluster start(Path folder) throws Exception {
    Cluster cluster = new Cluster(folder);
    try {
      for (String name : RELAYS) {
        cluster.startRelay(name);
      }
      cluster.awaitMeasured();
      return cluster;
    } catch (Exception | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  OrchestratorClient client() {
    return controlPlane().client();
  }

  private ControlPlane controlPlane() {
    return new ControlPlane(address, null);
  }

  URI address() {
    return address;
  }

  Verb relay(String name) {
    return Objects.requireNonNull(relays.get(name));
  }

  /** Where the relay answers tools on its host. */
  URI control(String relay) {
    try {
      return URI.create(relay(relay).awaitLine("ready: control (http://[0-9.:]+)").group(1));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Names of its relays. */
  static List<String> relays() {
    return RELAYS;
  }

  Verb orchestrator() {
    return orchestrator;
  }

  /** Starts a relay in the place of the one of this name, if that still runs. */
  void startRelay(String name) throws Exception {
    Verb relay =
        Verb.start(
            folder,
            "relay",
            "--name",
            name,
            "--site",
            "desk",
            "--orchestrator",
            address.toString(),
            "--hop-port",
            "0",
            "--control-port",
            "0",
            "--drain",
            "0",
            "--hand-over",
            folder.resolve(name + ".sock").toString());
    relays.put(name, relay);
    relay.awaitLine("cascade relay " + name + " ready");
  }

  /** Starts the orchestrator anew on its old address, with its old state. */
  void restartOrchestrator() throws Exception {
    orchestrator.kill();
    orchestrator = startOrchestrator(address.getHost() + ":" + address.getPort());
    address = readyAt(orchestrator);
  }

  Verb verb(String... arguments) {
    String[] all = new String[arguments.length + 2];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--orchestrator";
    all[arguments.length + 1] = address.toString();
    return Verb.start(folder, all);
  }

  Chain open(int destinationPort) {
    return controlPlane().open("127.0.0.1:" + destinationPort, RELAYS);
  }

  Chain open(int destinationPort, int leaseSeconds) {
    return client()
        .open(
            ChainRequest.builder()
                .destination("127.0.0.1:" + destinationPort)
                .via(RELAYS)
                .leaseSeconds(leaseSeconds)
                .build(),
            null);
  }

  static InetSocketAddress ingress(Chain chain) {
    var ingress = Objects.requireNonNull(chain.ingress());
    return new InetSocketAddress(ingress.host(), ingress.port());
  }

  void awaitState(UUID chain, ChainState state) {
    await().atMost(PATIENCE).until(() -> controlPlane().isIn(chain, state));
  }

  /** Waits until the orchestrator has heard of every relay, and of a round trip on every link. */
  void awaitMeasured() {
    await().atMost(PATIENCE).until(() -> controlPlane().hearsOf(relays.size()));
    await()
        .atMost(PATIENCE)
        .until(() ->
            client().links().links().stream().filter(link -> link.minRttMillis() != null).count()
                == (long) relays.size() * (relays.size() - 1));
  }

  private Verb startOrchestrator(String listen) {
    return Verb.start(
        folder,
        "orchestrator",
        "--listen",
        listen,
        "--state-dir",
        folder.resolve("state").toString());
  }

  private static URI readyAt(Verb orchestrator) throws Exception {
    return URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
  }

  @Override
  public void close() {
    relays.values().forEach(Verb::close);
    @Nullable Verb last = orchestrator;
    last.close();
  }
}
