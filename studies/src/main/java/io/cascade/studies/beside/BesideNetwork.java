package io.cascade.studies.beside;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.RelayList;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.links.LinkShape;
import io.cascade.studies.experiment.SiteHttp;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Two sites with a relay each, and one link between them that tests and streams share. */
final class BesideNetwork implements AutoCloseable {
  static final long BITS_PER_SECOND = 50_000_000;
  static final Duration ROUND_TRIP = Duration.ofMillis(40);

  /** Bytes that the link carries in one round trip. */
  static final int QUEUE_BYTES = 250_000;

  private static final Duration CALL = Duration.ofSeconds(60);

  private final Lab lab;
  private final SiteHttp orchestrator;

  private BesideNetwork(Lab lab) {
    this.lab = lab;
    this.orchestrator = new SiteHttp(source(), lab.orchestrator().orElseThrow(), lab.token());
  }

  static BesideNetwork up(String name) throws Exception {
    LinkShape shape =
        LinkShape.of(ROUND_TRIP.dividedBy(2), BITS_PER_SECOND).withQueueBytes(QUEUE_BYTES);
    Topology topology =
        new Topology(
            name,
            1,
            List.of(
                new Topology.SiteSpec("source", "cubic", List.of("a")),
                new Topology.SiteSpec("far", "cubic", List.of("z"))),
            List.of(Topology.LinkSpec.symmetric("source", "far", shape)),
            "source",
            List.of());
    BesideNetwork network = new BesideNetwork(Lab.upForThisProcess(topology));
    try {
      network.awaitRelays();
      return network;
    } catch (Exception e) {
      network.close();
      throw e;
    }
  }

  private void awaitRelays() throws Exception {
    long deadline = System.nanoTime() + CALL.toNanos();
    while (orchestrator.call("GET", "/api/v1/relays", null, RelayList.class, CALL).relays().stream()
            .filter(relay -> relay.status() == RelayStatus.UP)
            .count()
        < 2) {
      if (System.nanoTime() > deadline) {
        throw new CommandException("not all relays of the lab registered");
      }
      Thread.sleep(100);
    }
  }

  Site source() {
    return lab.site("source");
  }

  Site far() {
    return lab.site("far");
  }

  /** Opens a chain over the link to a port at its far end; its port at the source is returned. */
  InetSocketAddress open(int port) throws Exception {
    Chain chain =
        orchestrator.call(
            "POST",
            "/api/v1/chains",
            Map.of("destination", far().address() + ":" + port, "via", List.of("a", "z")),
            Chain.class,
            CALL);
    Endpoint ingress = chain.ingress();
    if (ingress == null) {
      throw new CommandException("the chain has no port: " + chain.reason());
    }
    return new InetSocketAddress(ingress.host(), ingress.port());
  }

  /** Tests the link from the source with a congestion control. */
  LinkTest test(String control) throws Exception {
    return orchestrator.call(
        "POST",
        "/api/v1/links/a/z/tests",
        Map.of("congestionControl", control),
        LinkTest.class,
        CALL);
  }

  /** Sends a train over the link. */
  LinkTrain train(long bitsPerSecond) throws Exception {
    return orchestrator.call(
        "POST",
        "/api/v1/links/a/z/trains",
        Map.of("packets", 3_000, "bitsPerSecond", bitsPerSecond),
        LinkTrain.class,
        CALL);
  }

  @Override
  public void close() {
    lab.close();
  }
}
