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
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Line that {@code forward} carries to a port, over one chain through the relay that is never
 * killed and one through all: no relay's death explains the end of a stream.
 */
final class ForwardedLine implements AutoCloseable {
  private static final int BUFFER = 1 << 20;
  private static final int MOST_STREAMS = 64;

  private final FarJunction far;
  private final IngressJunction ingress;
  private final Cluster.Line line;

  private ForwardedLine(FarJunction far, IngressJunction ingress, Cluster.Line line) {
    this.far = far;
    this.ingress = ingress;
    this.line = line;
  }

  static ForwardedLine open(Cluster cluster, int port) throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    SharedKey key = new SharedKey(secret);
    SegmentStream.Settings settings =
        new SegmentStream.Settings(BUFFER, Duration.ofMinutes(2).toNanos(), Scheduler.EARLIEST);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HostPort destination = new HostPort("127.0.0.1", port);
    FarJunction far =
        FarJunction.open(any, key, settings, destination, MOST_STREAMS, true, new Silent());
    try {
      int at = far.address().getPort();
      List<Integer> all = IntStream.range(0, cluster.relays().size()).boxed().toList();
      IngressJunction ingress =
          IngressJunction.open(
              any,
              key,
              settings,
              List.of(
                  new ChainDialer(
                      cluster.open("forward, one relay", List.of(0), Map.of(), true, at)),
                  new ChainDialer(cluster.open("forward, all", all, Map.of(), true, at))),
              MOST_STREAMS,
              true,
              new Silent());
      return new ForwardedLine(
          far,
          ingress,
          new Cluster.Line("forward", new UUID(0, 0), List.of(), true, ingress.address()));
    } catch (IOException | RuntimeException e) {
      far.close();
      throw e;
    }
  }

  /** Returns where visitors connect; explained by the death of no relay. */
  Cluster.Line line() {
    return line;
  }

  @Override
  public void close() throws IOException {
    ingress.close();
    far.close();
  }

  /** The visitors judge what becomes of their streams. */
  private static final class Silent implements JunctionListener {
    @Override
    public void note(String line) {}

    @Override
    public void over(long stream, StreamReport report) {}
  }
}
