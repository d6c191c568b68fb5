package io.cascade.carriage.transport;

import io.cascade.kernel.tcp.StandingQueue;

/**
 * Tells when a connection should have BBR: where it loses packets although no queue stands on its
 * path. Such losses come from the link and not from traffic that the connection should make room
 * for; controls that take every loss for congestion stay far below such a link's capacity. Losses
 * behind a standing queue change nothing: there the connection shares its bottleneck by the host's
 * own control. A queue that overflowed is short again when its losses are counted, for everybody
 * has slowed down: it counts as standing for a second, or four round trips where that is longer.
 * And one loss says little, so that two looks in a row have to find some.
 *
 * <p>Where losses are frequent and the round trip short, some queue stood in almost any second.
 * There it counts how much of the time one stands: traffic that shares a bottleneck keeps its queue
 * filled most of the time, while losses of the link leave it empty.
 *
 * <p>A connection may have BBR for its beginning as well, so that a lost packet does not end its
 * slow start. It gives it back where nothing has called for it by then.
 *
 * <p>BBR is a kernel's to offer and its owner's to allow: a process without privileges gets what
 * {@code net.ipv4.tcp_allowed_congestion_control} lists.
 */
public final class LossResponse {
  /** The control that takes the place of the host's. */
  public static final String CONTROL = "bbr";

  /** Round trips of a beginning, and the least time of one. */
  private static final int BEGINNING_ROUND_TRIPS = 10;

  private static final long LEAST_BEGINNING_MICROS = 1_000_000;

  private static final int LOOKS_WITH_LOSSES = 2;

  /** Looks after which it is told how much of the time a queue stood. */
  private static final int LOOKS_OF_A_SHARE = 40;

  /** Looks with losses among them, below which nothing is concluded. */
  private static final int LEAST_LOSSES_OF_A_SHARE = 8;

  /** Share of the looks that find a queue where its overflow causes the losses. */
  private static final double SHARE_WITH_QUEUE = 0.25;

  private static final int QUEUE_ROUND_TRIPS = 4;
  private static final long LEAST_QUEUE_MICROS = 1_000_000;

  private State state;
  private long retransmittedSegments;

  /** Latest looks in a row that found losses without a queue. */
  private int looksWithLosses;

  private int looks;
  private int looksThatLost;
  private int looksWithQueue;

  /** The longest smoothed round trip of the latest time. */
  private long peakMicros;

  private long peakAgeMicros;

  /** Which control the connection has, and why. */
  enum State {
    /** BBR, for its beginning. */
    BEGINNING,
    /** The host's own. */
    OWN,
    /** BBR, because of losses without a queue. */
    CALLED_FOR
  }

  /** What is to be done with the connection. */
  public enum Change {
    NONE,
    /** It should take {@link #CONTROL}. */
    TAKE,
    /** It should take the control that it had at first. */
    GIVE_BACK
  }

  private LossResponse(State state) {
    this.state = state;
  }

  /** The response of a connection that has the host's own control. */
  public static LossResponse ofOwn() {
    return new LossResponse(State.OWN);
  }

  /** The response of a connection that has {@link #CONTROL} for its beginning. */
  public static LossResponse ofBeginning() {
    return new LossResponse(State.BEGINNING);
  }

  /** Whether the connection has {@link #CONTROL} for its beginning. */
  public boolean isBeginning() {
    return state == State.BEGINNING;
  }

  /** Whether nothing will change any more. */
  public boolean isSettled() {
    return state == State.CALLED_FOR;
  }

  State state() {
    return state;
  }

  /**
   * Looks at the connection's counters.
   *
   * @param retransmittedNow segments since the connection began
   * @param rttMicros smoothed round-trip time
   * @param minRttMicros the least round-trip time; 0 where none is known
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
    if (looks == 2 * LOOKS_OF_A_SHARE) { // The older half counts half.
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
