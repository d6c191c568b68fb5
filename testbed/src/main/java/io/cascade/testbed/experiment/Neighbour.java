package io.cascade.testbed.experiment;

import io.cascade.testbed.lab.Site;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** A connection of its own that shares a run's last link and always has something to send. */
final class Neighbour implements AutoCloseable {
  /** No connection. */
  static final Neighbour NONE = new Neighbour(null, null);

  private final @Nullable Reception reception;
  private final @Nullable Sender sender;

  private Neighbour(@Nullable Reception reception, @Nullable Sender sender) {
    this.reception = reception;
    this.sender = sender;
  }

  /** Connects, with the congestion control that the site has, and begins to send. */
  static Neighbour between(Site from, Site to) throws Exception {
    Reception reception = Reception.at(to, 1);
    try {
      Sender sender =
          Sender.connect(from, new InetSocketAddress(to.address(), reception.port()), 1);
      sender.send(Long.MAX_VALUE / 2);
      return new Neighbour(reception, sender);
    } catch (IOException | InterruptedException e) {
      reception.close();
      throw e;
    }
  }

  /** What it received between two moments; null where there is no connection. */
  @Nullable Double bitsPerSecond(long fromNanos, long toNanos) {
    return reception == null ? null : Double.valueOf(reception.bitsPerSecond(fromNanos, toNanos));
  }

  @Override
  public void close() throws IOException, InterruptedException {
    if (sender != null) {
      sender.close();
    }
    if (reception != null) {
      reception.close();
    }
  }
}
