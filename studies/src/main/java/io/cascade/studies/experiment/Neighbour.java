package io.cascade.studies.experiment;

import io.cascade.lab.Site;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A separate connection that shares a run's last link and always has data to send. */
public final class Neighbour implements AutoCloseable {
  /** No connection. */
  static final Neighbour NONE = new Neighbour(null, null);

  private final @Nullable TrafficSink sink;
  private final @Nullable Sender sender;

  private Neighbour(@Nullable TrafficSink sink, @Nullable Sender sender) {
    this.sink = sink;
    this.sender = sender;
  }

  /** No connection. */
  public static Neighbour none() {
    return NONE;
  }

  /** Connects, with the congestion control of the site, and starts to send. */
  public static Neighbour between(Site from, Site to) throws Exception {
    TrafficSink sink = TrafficSink.at(to, 1);
    try {
      Sender sender = Sender.connect(from, new InetSocketAddress(to.address(), sink.port()), 1);
      sender.send(Long.MAX_VALUE / 2);
      return new Neighbour(sink, sender);
    } catch (IOException | InterruptedException e) {
      sink.close();
      throw e;
    }
  }

  /** Rate that the neighbour received between two times; null without a connection. */
  public @Nullable Double bitsPerSecond(long fromNanos, long toNanos) {
    return sink == null ? null : Double.valueOf(sink.bitsPerSecond(fromNanos, toNanos));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (sender != null) {
      sender.close();
    }
    if (sink != null) {
      sink.close();
    }
  }
}
