package io.cascade.lab.soak;

import io.cascade.api.HostPort;
import io.cascade.api.Json;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.api.relay.RelayHealth;
import io.cascade.client.ways.Chains;
import io.cascade.lab.process.CascadeProcess;
import io.cascade.lab.process.LiveHeap;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;

/** An orchestrator, some relays and some chains, on loopback. */
public final class Cluster {
  private static final Patience PATIENCE =
      new Patience(Duration.ofSeconds(90), Duration.ofMillis(100));
  private static final Duration ANSWER = Duration.ofSeconds(10);

  private final LocalCluster parts;
  private final URI address;
  private final OrchestratorClient client;
  private final List<Relay> relays = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();

  /** A relay and the address of its control endpoint. */
  public static final class Relay {
    private final String name;
    private final CascadeProcess member;
    private volatile URI control;
    private volatile int hopPort;

    private Relay(Matcher ready, CascadeProcess member) {
      this.name = ready.group(1);
      this.member = member;
      readyAt(ready);
    }

    private void readyAt(Matcher ready) {
      control = URI.create(ready.group(2));
      hopPort = Integer.parseInt(ready.group(3).replaceFirst(".*:", ""));
    }

    /** The port to which other relays connect. */
    public int hopPort() {
      return hopPort;
    }

    public String name() {
      return name;
    }

    Vitals vitals() {
      return Vitals.of(member.process().pid());
    }

    /** Live bytes of its heap after a collection, which the query triggers; 0 where unknown. */
    long liveHeapBytes() throws InterruptedException {
      try {
        return (long) LiveHeap.bytes(List.of(member.process())).orElse(0);
      } catch (IOException e) {
        return 0;
      }
    }

    /** Sends SIGKILL. */
    public void kill() throws InterruptedException {
      member.kill();
    }

    /** Pipes of a chain's streams that began here and ended before their streams. */
    public long pipesLost(UUID chain) {
      List<PipeTotals> pipes =
          new RelayControlClient(control, null).show(chain, ANSWER).totals().pipes();
      return pipes == null ? 0 : pipes.stream().mapToLong(PipeTotals::lost).sum();
    }

    RelayHealth health() {
      return new RelayControlClient(control, null).health(ANSWER);
    }
  }

  /**
   * A chain.
   *
   * @param relays by their places in the cluster, whose end a stream does not survive
   * @param conversing whether bytes are delivered before their direction ends
   */
  public record Line(
      String name, UUID id, List<Integer> relays, boolean conversing, InetSocketAddress way) {}

  private Cluster(LocalCluster parts, URI address) {
    this.parts = parts;
    this.address = address;
    this.client = new OrchestratorClient(address, null);
  }

  /**
   * Starts the parts of a cluster, which ends when they do. The last relay uses splice where
   * possible; the others decide for each stream.
   *
   * @param parts of which none has been started
   * @param drain how long a relay's streams may take to end when it is stopped
   */
  public static Cluster start(LocalCluster parts, int count, Duration drain)
      throws InterruptedException {
    Cluster cluster = new Cluster(parts, parts.startOrchestrator());
    parts
        .startRelays(
            count,
            cluster.address,
            i ->
                List.of(
                    "--site",
                    "desk",
                    "--pump",
                    i == count ? "splice" : "auto",
                    "--drain",
                    Long.toString(drain.toSeconds())))
        .forEach(member -> cluster.relays.add(new Relay(member.awaitReady(), member)));
    cluster.awaitRegistered();
    return cluster;
  }

  /** Opens a chain to the port and records it. */
  public Line open(
      String name, List<Integer> via, Map<String, ?> options, boolean conversing, int port) {
    return open(name, Map.of("via", names(via), "options", options), port, via, conversing);
  }

  /** Opens a chain of several pipes to the port and records it. */
  public Line openPipes(String name, List<List<Integer>> pipes, int port) {
    List<Integer> ends = List.of(pipes.getFirst().getFirst(), pipes.getFirst().getLast());
    return open(name, Map.of("pipes", pipes.stream().map(this::names).toList()), port, ends, true);
  }

  private List<String> names(List<Integer> places) {
    return places.stream().map(place -> relays.get(place).name()).toList();
  }

  private Line open(
      String name, Map<String, ?> route, int port, List<Integer> places, boolean conversing) {
    Map<String, Object> request = new HashMap<>(route);
    request.put("destination", "127.0.0.1:" + port);
    request.put("name", name);
    Chain chain = client.open(Json.strict().convertValue(request, ChainRequest.class), null);
    HostPort ingress = Chains.ingress(chain);
    Line line =
        new Line(
            name,
            chain.id(),
            List.copyOf(places),
            conversing,
            new InetSocketAddress(ingress.host(), ingress.port()));
    lines.add(line);
    return line;
  }

  public List<Relay> relays() {
    return relays;
  }

  /** Kills a relay, restarts it and waits until every chain is complete. */
  public void killAndRestart(Relay relay) throws InterruptedException {
    relay.member.killAndStart();
    awaitAgain(relay);
  }

  /** Stops a relay, which lets its streams finish, and continues as {@link #killAndRestart}. */
  public void stopAndRestart(Relay relay) throws InterruptedException {
    relay.member.stopAndStart();
    awaitAgain(relay);
  }

  private void awaitAgain(Relay relay) throws InterruptedException {
    relay.readyAt(relay.member.awaitReady());
    awaitRegistered();
    awaitReady();
  }

  /** Drains a relay, which then gets no new streams, or ends that. */
  public void drain(Relay relay, boolean now) {
    var _ = now ? client.drain(relay.name()) : client.useAgain(relay.name());
  }

  /** Pauses a relay for a while. */
  public static void pause(Relay relay, Duration time) throws IOException, InterruptedException {
    relay.member.pause(true);
    try {
      TimeUnit.NANOSECONDS.sleep(time.toNanos());
    } finally {
      relay.member.pause(false);
    }
  }

  /** Restarts a killed orchestrator with its state and at its address. */
  public void restartOrchestrator() {
    URI _ = parts.startOrchestrator(address.getAuthority());
  }

  /** Sends SIGKILL. */
  public void killOrchestrator() throws InterruptedException {
    parts.killOrchestrator();
  }

  /** Throws where a part has ended by itself. */
  void checkAlive() {
    parts.checkAlive();
  }

  /** Waits until every chain is complete. */
  public void awaitReady() throws InterruptedException {
    until(
        "every chain to be ready",
        () -> lines.stream().map(line -> client.chain(line.id())).allMatch(Cluster::isWhole));
  }

  /**
   * Whether every relay of a chain holds its part. The state of a chain may be stale: for some
   * seconds after its start an orchestrator reports what it knew when it was killed.
   */
  private static boolean isWhole(Chain chain) {
    return chain.state() == ChainState.READY
        && chain.totals() != null
        && chain.totals().size() == chain.relays().size();
  }

  private void awaitRegistered() throws InterruptedException {
    until(
        "every relay to be up",
        () ->
            client.relays().relays().stream()
                    .filter(relay -> relay.status() == RelayStatus.UP)
                    .count()
                == relays.size());
  }

  /** Waits for a condition. */
  public static void until(String what, BooleanSupplier condition) throws InterruptedException {
    PATIENCE.until(what, condition);
  }
}
