package io.cascade.lab.soak;

import io.cascade.api.HostPort;
import io.cascade.client.forward.FarJunction;
import io.cascade.client.forward.IngressJunction;
import io.cascade.client.forward.JunctionListener;
import io.cascade.client.forward.StreamReport;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.segments.SharedKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A line of {@code forward} to a port over several chains, with both junctions in this process. */
public final class ForwardedLine implements AutoCloseable {
  private static final int BUFFER = 1 << 20;
  private static final int MOST_STREAMS = 64;

  private final FarJunction far;
  private final IngressJunction ingress;

  private ForwardedLine(FarJunction far, IngressJunction ingress) {
    this.far = far;
    this.ingress = ingress;
  }

  /**
   * A chain that carries a pipe.
   *
   * @param via relays by their places in the cluster
   */
  public record Route(String name, List<Integer> via) {}

  /**
   * Opens a line over one chain through the relay that is never killed and one through all relays:
   * no relay's end explains the end of a stream. The visitors check the results of their streams.
   */
  static ForwardedLine open(Cluster cluster, int port) throws IOException {
    List<Integer> all = IntStream.range(0, cluster.relays().size()).boxed().toList();
    return open(
        cluster,
        port,
        new SegmentStream.Settings(BUFFER, Duration.ofMinutes(2).toNanos(), Scheduler.EARLIEST),
        MOST_STREAMS,
        List.of(new Route("forward, one relay", List.of(0)), new Route("forward, all", all)),
        _ -> {});
  }

  /**
   * Opens chains and a line over them.
   *
   * @param over is told of each stream that ends
   */
  public static ForwardedLine open(
      Cluster cluster,
      int port,
      SegmentStream.Settings settings,
      int mostStreams,
      List<Route> routes,
      Consumer<StreamReport> over)
      throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    SharedKey key = new SharedKey(secret);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HostPort destination = new HostPort("127.0.0.1", port);
    FarJunction far =
        FarJunction.open(any, key, settings, destination, mostStreams, true, new Ends(_ -> {}));
    try {
      int at = far.address().getPort();
      List<ChainDialler> pipes = new ArrayList<>();
      for (Route route : routes) {
        pipes.add(new ChainDialler(cluster.open(route.name(), route.via(), Map.of(), true, at)));
      }
      return new ForwardedLine(
          far, IngressJunction.open(any, key, settings, pipes, mostStreams, true, new Ends(over)));
    } catch (IOException | RuntimeException e) {
      far.close();
      throw e;
    }
  }

  /** Returns the line to which visitors connect; no relay's end explains its failures. */
  public Cluster.Line line() {
    return new Cluster.Line("forward", new UUID(0, 0), List.of(), true, ingress.address());
  }

  @Override
  public void close() throws IOException {
    ingress.close();
    far.close();
  }

  private record Ends(Consumer<StreamReport> reports) implements JunctionListener {
    @Override
    public void note(String line) {}

    @Override
    public void over(long stream, StreamReport report) {
      reports.accept(report);
    }
  }
}
