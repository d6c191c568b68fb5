package io.cascade.model.cascade;

import java.util.List;

/**
 * Way in which a cascade is opened, which decides how long the source waits before it may send.
 *
 * <p>Counted from the source's first packet to the moment its payload may leave. A direct
 * connection, a cascade of one hop, waits one round trip in every mode: its handshake. The way of
 * the first byte to the destination is not included, it is part of the delivery.
 */
public enum SetupMode {
  /**
   * The relays keep the connections among themselves open; only the first hop is opened for the
   * stream: RTT₁. The last relay opens the connection to the destination when the stream reaches
   * it, and data that has arrived by then waits there for a further RTT of the last hop, see {@link
   * #egressWaitSeconds}.
   *
   * <p>The connections between relays have not carried data yet and begin with slow start.
   */
  WARM,
  /**
   * All relays are set up in parallel, and the source waits until the most distant one has
   * confirmed: ΣRTTᵢ.
   *
   * <p>This is the published 1.5·RTT, equation 7 of "Cascaded TCP", which counts until the first
   * payload has arrived: it includes the ½·RTT of that payload's way, which is left to the delivery
   * here.
   */
  PARALLEL,
  /**
   * Each relay opens its onward connection when it is itself contacted, payload following each
   * handshake: ΣRTTᵢ.
   *
   * <p>The published "sequential" 1.5·ΣRTTᵢ, again less the first payload's way.
   */
  CHAINED,
  /**
   * The source contacts the relays in order, the nearest first, and waits for each to confirm: Σᵢ
   * Σⱼ≤ᵢ RTTⱼ.
   */
  SEQUENTIAL;

  /**
   * Time that one hop adds to the wait.
   *
   * @param hopsFromHere hops from this one to the destination, both included
   * @param first whether it is the source's own hop
   */
  public double shareOfHopSeconds(double rttSeconds, int hopsFromHere, boolean first) {
    return switch (this) {
      case WARM -> first ? rttSeconds : 0;
      case PARALLEL, CHAINED -> rttSeconds;
      case SEQUENTIAL -> hopsFromHere * rttSeconds;
    };
  }

  /**
   * Time for which the last relay holds the first packet to open the connection to the destination.
   * It is not part of the source's wait, and has no effect if an earlier hop is slow enough: it
   * delays only data for the last hop.
   */
  public double egressWaitSeconds(Hop last) {
    return switch (this) {
      case WARM -> last.rttSeconds();
      case PARALLEL, CHAINED, SEQUENTIAL -> 0;
    };
  }

  /**
   * The wait for a whole cascade.
   *
   * <p>Worked value for hops of 20, 30 and 50 ms: warm 20 ms, parallel and chained 100 ms,
   * sequential 20 + 50 + 100 = 170 ms.
   */
  public double seconds(List<Hop> hops) {
    double sum = 0;
    for (int i = 0; i < hops.size(); i++) {
      sum += shareOfHopSeconds(hops.get(i).rttSeconds(), hops.size() - i, i == 0);
    }
    return sum;
  }
}
