package io.cascade.carriage.transport;

import io.cascade.kernel.tcp.StandingQueue;

/**
 * Decides when a connection should use BBR: if it loses packets although its path has no standing
 * queue. Such losses come from the link and not from competing traffic; controls that take every
 * loss for congestion stay far below such a link's capacity. Losses behind a standing queue change
 * nothing: there the connection shares its bottleneck by the host's own control. A queue that
 * overflowed has drained when its losses are counted, since all senders have slowed down. So it
 * counts as standing for a second, or for four round trips if that is longer. One loss proves
 * little, so two successive checks with losses must find no queue.
 *
 * <p>If losses are frequent and the round trip is short, some queue stood in almost any second.
 * Then the share of checks that find a queue decides: traffic that shares a bottleneck keeps its
 * queue filled most of the time, while losses of the link leave it empty.
 *
 * <p>A connection may also begin with BBR, so that a lost packet does not end its slow start. It
 * returns to the host's control unless losses have called for BBR by then.
 *
 * <p>The kernel must offer BBR and its owner must allow it: a process without privileges may use
 * what {@code net.ipv4.tcp_allowed_congestion_control} lists.
 */
public final class LossResponse {
  /** The control that replaces the host's. */
  public static final String CONTROL = "bbr";

  /** Round trips of a connection's beginning, and its least duration. */
  private static final int BEGINNING_ROUND_TRIPS = 10;

  private static final long LEAST_BEGINNING_MICROS = 1_000_000;

  private static final int LOOKS_WITH_LOSSES = 2;

  /** Number of checks after which the share of checks with a queue is judged. */
  private static final int LOOKS_OF_A_SHARE = 40;

  /** Number of checks with losses among them below which nothing is concluded. */
  private static final int LEAST_LOSSES_OF_A_SHARE = 8;

  /** Share of the checks that find a queue if its overflow causes the losses. */
  private static final double SHARE_WITH_QUEUE = 0.25;

  private static final int QUEUE_ROUND_TRIPS = 4;
  private static final long LEAST_QUEUE_MICROS = 1_000_000;

  private State state;
  private long retransmittedSegments;

  /**
   * Number of successive checks with losses that found no queue; checks without losses do not
   * count.
   */
  private int looksWithLosses;

  private int looks;
  private int looksThatLost;
  private int looksWithQueue;

  /** The longest recent smoothed round trip. */
  private long peakMicros;

  private long peakAgeMicros;

  /** The connection's control, and the reason for it. */
  enum State {
    /** BBR, for its beginning. */
    BEGINNING,
    /** The host's own control. */
    OWN,
    /** BBR, because of losses without a queue. */
    CALLED_FOR
  }

  /** Change of the connection's control. */
  public enum Change {
    NONE,
    /** To {@link #CONTROL}. */
    TAKE,
    /** Back to its first control. */
    GIVE_BACK
  }

  private LossResponse(State state) {
    this.state = state;
  }

  /** The response of a connection that uses the host's own control. */
  public static LossResponse ofOwn() {
    return new LossResponse(State.OWN);
  }

  /** The response of a connection that begins with {@link #CONTROL}. */
  public static LossResponse ofBeginning() {
    return new LossResponse(State.BEGINNING);
  }

  /** Whether the connection uses {@link #CONTROL} for its beginning. */
  public boolean isBeginning() {
    return state == State.BEGINNING;
  }

  /** Whether nothing will change any longer. */
  public boolean isSettled() {
    return state == State.CALLED_FOR;
  }

  State state() {
    return state;
  }

  /**
   * Checks the connection's counters.
   *
   * @param retransmittedNow segments since the connection began
   * @param rttMicros smoothed round-trip time
   * @param minRttMicros the least round-trip time; 0 if unknown
   * @param ageMicros time since the connection began to send
   */
  public Change look(long retransmittedNow, long rttMicros, long minRttMicros, long ageMicros) {
    boolean lost = retransmittedNow > retransmittedSegments;
    retransmittedSegments = retransmittedNow;
    if (minRttMicros == 0 || isSettled()) {
      return Change.NONE;
    }
    boolean stood =
        StandingQueue.stands(
            (double) peak(rttMicros, minRttMicros, ageMicros), (double) minRttMicros);
    if (lost) {
      looksWithLosses = stood ? 0 : looksWithLosses + 1;
    }
    count(lost, StandingQueue.stands((double) rttMicros, (double) minRttMicros));
    if (looksWithLosses == LOOKS_WITH_LOSSES || isQueueSeldom()) {
      boolean has = state == State.BEGINNING;
      state = State.CALLED_FOR;
      return has ? Change.NONE : Change.TAKE;
    }
    long beginning = Math.max(LEAST_BEGINNING_MICROS, BEGINNING_ROUND_TRIPS * minRttMicros);
    if (state == State.BEGINNING && ageMicros > beginning) {
      state = State.OWN;
      return Change.GIVE_BACK;
    }
    return Change.NONE;
  }

  private void count(boolean lost, boolean stands) {
    if (looks == 2 * LOOKS_OF_A_SHARE) { // The older half gets half the weight.
      looks /= 2;
      looksThatLost /= 2;
      looksWithQueue /= 2;
    }
    looks++;
    looksThatLost += lost ? 1 : 0;
    looksWithQueue += stands ? 1 : 0;
  }

  private boolean isQueueSeldom() {
    return looks >= LOOKS_OF_A_SHARE
        && looksThatLost >= LEAST_LOSSES_OF_A_SHARE
        && looksWithQueue < SHARE_WITH_QUEUE * looks;
  }

  private long peak(long rttMicros, long minRttMicros, long ageMicros) {
    long remembered = Math.max(LEAST_QUEUE_MICROS, QUEUE_ROUND_TRIPS * minRttMicros);
    if (rttMicros >= peakMicros || ageMicros - peakAgeMicros > remembered) {
      peakMicros = rttMicros;
      peakAgeMicros = ageMicros;
    }
    return peakMicros;
  }
}
