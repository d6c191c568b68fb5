package io.cascade.coding.redundancy;

import java.util.TreeSet;

/**
 * Sends a repair when the receiver is expected to lack one. With s source symbols sent, k of them
 * seen at the newest acknowledgement, I packets sent since the newest that it reports, and a loss
 * rate r, the expected deficit is
 *
 * <pre>
 * D = s − k − (1 − r)·I + z·√( r·(1 − r)·I )
 * </pre>
 *
 * and a repair is due when D ≥ 1. The one expression is both proactive (losses expected in flight)
 * and reactive (losses that feedback has shown). A repair covers all gaps of the acknowledgement
 * and the last W symbols; W is half of the packets in flight, 16 to 128.
 *
 * <p>z costs the share z·√( r·(1 − r)/I ) of the rate, so more packets in flight allow a larger z:
 * z is √( I/800 ), 0.5 to 1, unless it is given.
 *
 * <p>Both ends multiply all symbols of a repair. So W is bounded such that there are at most
 * 150,000 products a second at r times the sending rate.
 *
 * <p>Worked value: s = 1,000, k = 880, I = 130, r = 0.1, z = 0: D = 120 − 117 = 3, so three repairs
 * are due.
 *
 * <p>A report names few of the symbols that a long burst of losses leaves unseen, and repairs over
 * the same few are useless once these are seen. So a deficit of {@link #MOST_CODED} or more is
 * reduced by repeating lost source symbols uncoded, oldest first.
 */
public final class SlidingDeficit implements RedundancyPolicy {
  private static final int LEAST_TAIL = 16;
  private static final int MOST_TAIL = 128;

  /** Most symbols that repairs may cover in a second, to bound the processor time. */
  private static final double MOST_PRODUCTS_PER_SECOND = 150_000;

  private static final double LEAST_LOSS = 0.01;

  private static final double LEAST_BALANCED = 0.5;
  private static final double MOST_BALANCED = 1;

  /** Packets in flight at which a caution of 1 costs as much as one of 0.5 at 200. */
  private static final double BALANCED_PACKETS = 800;

  /** Caution when no new symbols are sent: a loss at the tail would cost a round trip. */
  private static final double TAIL_CAUTION = 2;

  /** Caution when no new symbol waits: repairs then take no capacity from others. */
  private static final double IDLE_CAUTION = 1;

  /** Deficit from which lost symbols are repeated instead of sending repairs. */
  static final double MOST_CODED = 64;

  private final double leastCaution;
  private final double mostCaution;
  private final int tailPackets;

  /** Symbols of lost packets that the receiver may not have seen; all of them are outstanding. */
  private final TreeSet<Long> lost = new TreeSet<>();

  /** Makes one with a z that costs about a hundredth of the rate. */
  public SlidingDeficit() {
    this(LEAST_BALANCED, MOST_BALANCED, Integer.MAX_VALUE);
  }

  /**
   * @param caution the z of the formula
   */
  public SlidingDeficit(double caution) {
    this(caution, Integer.MAX_VALUE);
  }

  /**
   * @param caution the z of the formula
   * @param tailPackets if no new symbol waits, but more than this number of packets are not
   *     reported, caution is 1 instead of 2, since packets that are sent one by one leave no tail.
   *     Otherwise half of a flow whose queue is often empty for a moment would be repairs, at a
   *     loss rate of a fifth
   */
  public SlidingDeficit(double caution, int tailPackets) {
    this(caution, caution, tailPackets);
  }

  private SlidingDeficit(double leastCaution, double mostCaution, int tailPackets) {
    this.leastCaution = leastCaution;
    this.mostCaution = mostCaution;
    this.tailPackets = tailPackets;
  }

  @Override
  public Choice choose(SendingView view) {
    while (!lost.isEmpty() && lost.first() < view.floor()) {
      lost.pollFirst();
    }
    if (view.outstanding() > 0) {
      double deficit = deficit(view, caution(view));
      if (deficit >= MOST_CODED && findLost(view)) {
        return new Choice.Again(lost.first());
      }
      if (deficit >= 1) {
        return repair(view);
      }
    }
    return view.sourceWaits() ? Choice.SOURCE : Choice.NOTHING;
  }

  private double caution(SendingView view) {
    double usual =
        Math.clamp(Math.sqrt(view.unreported() / BALANCED_PACKETS), leastCaution, mostCaution);
    if (view.sourceWaits()) {
      return usual;
    }
    return Math.max(usual, view.unreported() <= tailPackets ? TAIL_CAUTION : IDLE_CAUTION);
  }

  /** Removes the symbols that the report shows as seen; returns whether a lost one is left. */
  private boolean findLost(SendingView view) {
    while (!lost.isEmpty()) {
      long id = lost.first();
      if (id > view.gaps().last() || view.gaps().has(id)) {
        return true;
      }
      lost.pollFirst();
    }
    return false;
  }

  @Override
  public void onSymbolLost(long id) {
    lost.add(id);
  }

  @Override
  public void onSymbolRepeated(long id) {
    lost.remove(id);
  }

  static double deficit(SendingView view, double z) {
    double r = view.lossRate();
    double unreported = view.unreported();
    return view.next()
        - view.seen()
        - (1 - r) * unreported
        + z * Math.sqrt(r * (1 - r) * unreported);
  }

  static Choice repair(SendingView view) {
    double repairsPerSecond = Math.max(LEAST_LOSS, view.lossRate()) * view.packetsPerSecond();
    double affordable = MOST_PRODUCTS_PER_SECOND / repairsPerSecond;
    int most = (int) Math.clamp(affordable, LEAST_TAIL, MOST_TAIL);
    int tail = Math.clamp(view.inFlight() / 2, LEAST_TAIL, most);
    long first = Math.max(view.floor(), view.next() - tail);
    return new Choice.Repair(view.gaps().size() > 0, first, (int) (view.next() - first));
  }
}
