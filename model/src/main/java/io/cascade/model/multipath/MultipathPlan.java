package io.cascade.model.multipath;

import io.cascade.model.planning.NodePath;
import io.cascade.model.tcp.CongestionControl;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Several routes that carry one transfer or stream together. Likely values, without bounds.
 *
 * <p>Both ends divide the data and reassemble it: the two junctions of a segment. Between two
 * relays a chain has such a segment; between a source and a destination that are not relays, {@code
 * forward} provides it.
 *
 * @param shares per route, the largest first
 * @param seconds until the last byte has arrived; empty for an unlimited stream
 * @param bitsPerSecond payload over that time; for a stream all routes' rates together
 */
public record MultipathPlan(List<Share> shares, OptionalDouble seconds, double bitsPerSecond) {

  /** Copies the list. */
  public MultipathPlan {
    shares = List.copyOf(shares);
  }

  /**
   * One route's part.
   *
   * @param control of its connections
   * @param bitsPerSecond steady rate of its connection, beside the other routes
   * @param latencySeconds time that it takes beyond its bytes at that rate: set-up, propagation and
   *     slow start
   * @param bytes of the transfer; 0 for an unlimited stream
   * @param bottleneck the hop that limits it, from 0
   * @param hops in its direction
   */
  public record Share(
      NodePath route,
      CongestionControl control,
      double bitsPerSecond,
      double latencySeconds,
      long bytes,
      int bottleneck,
      List<SharedHop> hops) {

    /** Copies the list. */
    public Share {
      hops = List.copyOf(hops);
    }
  }

  /**
   * A hop of one of the routes.
   *
   * @param bitsPerSecond rate of one connection alone on it
   * @param routes number of routes that use its link
   */
  public record SharedHop(
      String from, String to, double rttSeconds, double bitsPerSecond, int routes) {}

  /** Explains why it is shown but not chosen. */
  public static String caveat() {
    return "a chain has several routes between two relays only, and forward between its two ends";
  }
}
