package io.cascade.model.multipath;

import io.cascade.model.planning.NodePath;
import io.cascade.model.tcp.CongestionControl;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Several routes that carry one transfer or stream together. Likely values, without bounds.
 *
 * <p>Both ends divide the data and put it together again: the two junctions of a segment. Between
 * two relays a chain has such a segment; between a source and a destination that are none, {@code
 * forward} makes it.
 *
 * @param shares per route, the largest first
 * @param seconds until the last byte has arrived; empty for a stream without end
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
   * @param bitsPerSecond what its connection gets in the steady state, next to the other routes
   * @param latencySeconds how much longer it takes than its bytes at that rate: set-up, way and
   *     slow start
   * @param bytes of the transfer; 0 for a stream without end
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
   * @param bitsPerSecond what one connection would get over it alone
   * @param routes how many of the routes use its link
   */
  public record SharedHop(
      String from, String to, double rttSeconds, double bitsPerSecond, int routes) {}

  /** Why it is shown and not chosen. */
  public static String caveat() {
    return "a chain has several routes between two relays only, and forward between its two ends";
  }
}
