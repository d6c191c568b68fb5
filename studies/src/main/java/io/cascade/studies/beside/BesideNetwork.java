package io.cascade.studies.beside;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.client.ways.Chains;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.links.LinkShape;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/** Two sites with a relay each, and one link between them that tests and streams share. */
final class BesideNetwork implements AutoCloseable {
  static final long BITS_PER_SECOND = 50_000_000;
  static final Duration ROUND_TRIP = Duration.ofMillis(40);

  /** Queue of the link: the bytes that it carries in one round trip. */
  static final int QUEUE_BYTES = 250_000;

  private final Lab lab;
  private final OrchestratorClient orchestrator;

  private BesideNetwork(Lab lab) {
    this.lab = lab;
    this.orchestrator = new OrchestratorClient(lab.dashboard().orElseThrow(), lab.token());
  }

  static BesideNetwork up(String name) throws InterruptedException {
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
      new MeasuredRelays(network.orchestrator).awaitUp(2);
      return network;
    } catch (InterruptedException | RuntimeException e) {
      network.close();
      throw e;
    }
  }

  Site source() {
    return lab.site("source");
  }

  Site far() {
    return lab.site("far");
  }

  /** Opens a chain over the link to a port at its far end, and returns its port at the source. */
  InetSocketAddress open(int port) {
    ChainRequest request =
        ChainRequest.builder()
            .destination(far().address() + ":" + port)
            .via(List.of("a", "z"))
            .build();
    Chain chain = orchestrator.open(request, null);
    HostPort ingress = Chains.ingress(chain);
    return new InetSocketAddress(ingress.host(), ingress.port());
  }

  /** Runs a throughput test of the link from the source with a congestion control. */
  LinkTest test(String control) {
    return orchestrator.testLink(
        "a", "z", LinkTestRequest.builder().congestionControl(control).build());
  }

  /** Sends a packet train over the link. */
  LinkTrain train(long bitsPerSecond) {
    return orchestrator.sendTrain(
        "a", "z", LinkTrainRequest.builder().packets(3_000).bitsPerSecond(bitsPerSecond).build());
  }

  @Override
  public void close() {
    lab.close();
  }
}
