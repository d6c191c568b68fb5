package io.cascade.studies.multipath;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.client.ways.Chains;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.links.LinkShape;
import io.cascade.studies.experiment.SiteSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A lab with up to three paths between the first and the last relay of a chain. A relay is at the
 * end of each path, next to the last one. The kernels of the same sites forward the packets of
 * Multipath TCP.
 *
 * <pre>
 *                        ┌─ the path ─ path1, relay b ─┐
 *  source, relay a ──────┼─ the path ─ path2, relay c ─┼── far, relay z
 *                        └─ the path ─ path3, relay d ─┘
 * </pre>
 */
final class SegmentNetwork implements AutoCloseable {
  static final int MOST_PATHS = 3;
  private static final List<String> MIDDLES = List.of("b", "c", "d");
  private static final String BUFFERS = "4096 262144 33554432";
  private static final int LEAST_ADDRESS = 1;

  private final Lab lab;
  private final OrchestratorClient orchestrator;

  private SegmentNetwork(Lab lab) {
    this.lab = lab;
    this.orchestrator = new OrchestratorClient(lab.dashboard().orElseThrow(), lab.token());
  }

  /** Creates the network; its name is unique on the machine. */
  static SegmentNetwork up(String name) throws Exception {
    SegmentNetwork network = new SegmentNetwork(Lab.upForThisProcess(topology(name)));
    try {
      for (String site : network.sites()) {
        SiteSettings.set(network.lab.site(site), "ipv4/tcp_rmem", BUFFERS);
        SiteSettings.set(network.lab.site(site), "ipv4/tcp_wmem", BUFFERS);
      }
      new MeasuredRelays(network.orchestrator).awaitUp(MOST_PATHS + 2);
      return network;
    } catch (Exception e) {
      network.close();
      throw e;
    }
  }

  private static Topology topology(String name) {
    List<Topology.SiteSpec> sites = new ArrayList<>();
    List<Topology.LinkSpec> links = new ArrayList<>();
    sites.add(new Topology.SiteSpec("source", "cubic", List.of("a")));
    for (int path = 0; path < MOST_PATHS; path++) {
      sites.add(new Topology.SiteSpec(site(path), "cubic", List.of(MIDDLES.get(path))));
      links.add(Topology.LinkSpec.symmetric("source", site(path), passing()));
      links.add(Topology.LinkSpec.symmetric(site(path), "far", passing()));
    }
    sites.add(new Topology.SiteSpec("far", "cubic", List.of("z")));
    return new Topology(name, 1, sites, links, "source", List.of());
  }

  private List<String> sites() {
    List<String> sites = new ArrayList<>(List.of("source", "far"));
    for (int path = 0; path < MOST_PATHS; path++) {
      sites.add(site(path));
    }
    return sites;
  }

  private static LinkShape passing() {
    return LinkShape.of(Duration.ZERO, LinkShape.UNLIMITED).withQueueBytes(4 << 20);
  }

  private static String site(int path) {
    return "path" + (path + 1);
  }

  /** Sets the congestion control of all new connections. */
  void control(String name) throws Exception {
    for (String site : sites()) {
      SiteSettings.control(lab.site(site), name);
    }
  }

  void shape(int path, PathShape shape) {
    lab.link("source", site(path)).shape(shape.forward(), shape.backward());
  }

  /** Cuts a path: it drops all packets without an answer. */
  void cut(int path, PathShape shape) {
    lab.link("source", site(path))
        .shape(shape.forward().withDown(true), shape.backward().withDown(true));
  }

  /** A transfer in progress whose arrived bytes can be read. */
  interface Flow extends AutoCloseable {
    double bitsPerSecond(long fromNanos, long toNanos);

    @Override
    void close() throws Exception;
  }

  /**
   * Starts a transfer over a chain.
   *
   * @param paths path of each pipe; a path that occurs twice has two pipes
   */
  Flow chain(List<Integer> paths, long bufferBytes) throws Exception {
    Site far = lab.site("far");
    TrafficSink sink = TrafficSink.at(far, 1);
    ChainRequest request =
        ChainRequest.builder()
            .destination(far.address() + ":" + sink.port())
            .pipes(paths.stream().map(path -> List.of("a", MIDDLES.get(path), "z")).toList())
            .options(ChainOptions.builder().bufferBytes(bufferBytes).build())
            .build();
    Chain chain = orchestrator.open(request, null);
    HostPort ingress = Chains.ingress(chain);
    Sender sender =
        Sender.connect(
            lab.site("source"), new InetSocketAddress(ingress.host(), ingress.port()), 1);
    sender.send(Long.MAX_VALUE);
    return new Flow() {
      @Override
      public double bitsPerSecond(long fromNanos, long toNanos) {
        return sink.bitsPerSecond(fromNanos, toNanos);
      }

      @Override
      public void close() throws Exception {
        sender.close();
        sink.close();
        orchestrator.close(chain.id(), true);
      }
    };
  }

  /** Starts a transfer by the kernel's Multipath TCP over the first paths. */
  Flow multipathTcp(int paths) throws Exception {
    List<String> sites = new ArrayList<>();
    List<Integer> places = new ArrayList<>();
    for (int path = 0; path < paths; path++) {
      sites.add(site(path));
      places.add(path + LEAST_ADDRESS);
    }
    MptcpPaths.prepare(lab, sites, places);
    Site far = lab.site("far");
    return MptcpFlow.begin(lab.site("source"), far, InetAddress.getByName(far.address()));
  }

  @Override
  public void close() {
    lab.close();
  }
}
