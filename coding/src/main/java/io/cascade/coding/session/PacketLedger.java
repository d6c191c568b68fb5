package io.cascade.coding.session;

import io.cascade.coding.wire.AckFrame;

/**
 * Fates of sent packets, by their numbers: the last 32,768 of them. A packet is considered lost
 * once one that was sent a few packets later has arrived, or one that was sent later arrived more
 * than a round trip ago. The number of packets grows when that proves wrong.
 */
final class PacketLedger {
  static final int CAPACITY = 1 << 15;
  static final long NO_SYMBOL = -1;
  private static final int MASK = CAPACITY - 1;
  private static final int LEAST_REORDERING = 3;
  private static final int MOST_REORDERING = 1_024;

  private static final byte NOT_DATA = 0;
  private static final byte IN_FLIGHT = 1;
  private static final byte ARRIVED = 2;
  private static final byte LOST = 3;
  private static final byte SKIPPED = 4;

  /** Sent over a former carrier: its fate is not counted as a loss. */
  private static final byte ABANDONED = 5;

  /** Receives the fates of packets. */
  interface Fates {
    void arrived(long ordinal, long sentNanos, long delayNanos);

    void lost(long ordinal, long symbol);

    /** It may have been lost like everything sent at that time. */
    void abandoned(long ordinal, long symbol);

    /** Called for every data packet once, in the order of sending. */
    void settled(boolean lost);
  }

  private final long[] sentNanos = new long[CAPACITY];
  private final long[] ordinals = new long[CAPACITY];
  private final long[] symbols = new long[CAPACITY];
  private final byte[] states = new byte[CAPACITY];

  private long next;
  private long nextOrdinal;
  private long oldest;
  private long largestArrived = -1;
  private long largestDelayNanos;
  private int inFlight;
  private int reordering = LEAST_REORDERING;
  private long falselyLost;
  private long dataArrived;
  private long dataSinceReported;
  private boolean misbehaved;

  /** Whether another packet can be recorded. */
  boolean hasRoom() {
    return next - oldest < CAPACITY - 1;
  }

  /** Number of the next packet. */
  long next() {
    return next;
  }

  /** Skips a number: a peer that acknowledges it acknowledges a packet that it has not received. */
  void skip() {
    states[(int) next & MASK] = SKIPPED;
    next++;
  }

  void sentControl(long nowNanos) {
    int at = (int) next & MASK;
    sentNanos[at] = nowNanos;
    ordinals[at] = nextOrdinal - 1;
    states[at] = NOT_DATA;
    next++;
    passWhatIsNoData();
  }

  /**
   * Drops control packets, which are not acknowledged: an end that only receives must not run out
   * of room.
   */
  private void passWhatIsNoData() {
    while (oldest < next && next - oldest <= CAPACITY) {
      byte state = states[(int) oldest & MASK];
      if (state != NOT_DATA && state != SKIPPED) {
        return;
      }
      oldest++;
    }
  }

  /**
   * Records a data packet.
   *
   * @return its ordinal
   */
  long sentData(long nowNanos, long symbol) {
    int at = (int) next & MASK;
    sentNanos[at] = nowNanos;
    ordinals[at] = nextOrdinal;
    symbols[at] = symbol;
    states[at] = IN_FLIGHT;
    next++;
    inFlight++;
    dataSinceReported++;
    return nextOrdinal++;
  }

  int inFlight() {
    return inFlight;
  }

  /** Largest packet number that has been acknowledged, or −1. */
  long largestArrived() {
    return largestArrived;
  }

  /** Number of data packets sent after it. */
  long unreported() {
    return dataSinceReported;
  }

  /** Number of packets that arrived after they had been considered lost. */
  long falselyLost() {
    return falselyLost;
  }

  /** Number of data packets that have arrived. */
  long dataArrived() {
    return dataArrived;
  }

  /** Whether the peer has acknowledged a packet that was never sent. */
  boolean misbehaved() {
    return misbehaved;
  }

  /**
   * Takes an acknowledgement.
   *
   * @param receivedNanos when its largest packet arrived, by the receiver's clock
   * @param roundTripNanos a usual one
   * @return time from sending the largest packet to receiving its acknowledgement, or −1 if it was
   *     acknowledged before
   */
  long acknowledged(
      AckFrame ack, long receivedNanos, long nowNanos, long roundTripNanos, Fates fates) {
    long largest = ack.largestPacket();
    if (largest >= next || isSkipped(largest)) {
      misbehaved = true;
      return -1;
    }
    if (largest < next - CAPACITY) {
      return -1;
    }
    long roundTrip = -1;
    int at = (int) largest & MASK;
    long previous = largestArrived;
    long delay = receivedNanos - sentNanos[at];
    boolean isNew = largest > previous;
    long from = Math.max(oldest, largest - ack.arrivals().reach());
    for (long number = Math.max(from, next - CAPACITY); number < largest; number++) {
      if (ack.arrivals().has((int) (largest - 1 - number))) {
        double share = isNew && number > previous ? share(number, previous, largest) : 1;
        arrived(number, largestDelayNanos + (long) (share * (delay - largestDelayNanos)), fates);
      }
    }
    if (isNew) {
      roundTrip = nowNanos - sentNanos[at];
      largestArrived = largest;
      largestDelayNanos = delay;
      dataSinceReported = nextOrdinal - 1 - ordinals[at];
    }
    arrived(largest, delay, fates);
    findLost(nowNanos, roundTripNanos, fates);
    return roundTrip;
  }

  private static double share(long number, long previous, long largest) {
    return previous < 0 ? 1 : (double) (number - previous) / (largest - previous);
  }

  private boolean isSkipped(long number) {
    return number > next - CAPACITY && states[(int) number & MASK] == SKIPPED;
  }

  private void arrived(long number, long delayNanos, Fates fates) {
    int at = (int) number & MASK;
    switch (states[at]) {
      case IN_FLIGHT -> {
        states[at] = ARRIVED;
        inFlight--;
        dataArrived++;
        fates.arrived(ordinals[at], sentNanos[at], delayNanos);
      }
      case LOST -> {
        states[at] = ARRIVED;
        dataArrived++;
        falselyLost++;
        long late = largestArrived - number + 1;
        reordering = Math.clamp(late, reordering, MOST_REORDERING);
      }
      case SKIPPED -> misbehaved = true;
      default -> {}
    }
  }

  /** Abandons packets that were sent before a time and never answered, to free their places. */
  void giveUpBefore(long sentBefore, Fates fates) {
    for (long number = oldest; number < next; number++) {
      int at = (int) number & MASK;
      if (states[at] == IN_FLIGHT && sentNanos[at] < sentBefore) {
        states[at] = LOST;
        inFlight--;
        fates.abandoned(ordinals[at], symbols[at]);
      }
    }
  }

  /** Abandons all packets in flight, since they were sent over a former carrier. */
  void abandonInFlight(Fates fates) {
    for (long number = oldest; number < next; number++) {
      int at = (int) number & MASK;
      if (states[at] == IN_FLIGHT) {
        states[at] = ABANDONED;
        inFlight--;
        fates.abandoned(ordinals[at], symbols[at]);
      }
    }
  }

  /** Ordinal of the next data packet. */
  long nextOrdinal() {
    return nextOrdinal;
  }

  /** Detects packets that should have arrived by now, and settles packets in order. */
  void findLost(long nowNanos, long roundTripNanos, Fates fates) {
    long longAgo = nowNanos - roundTripNanos - roundTripNanos / 8;
    for (long number = oldest; number < largestArrived; number++) {
      int at = (int) number & MASK;
      if (states[at] == IN_FLIGHT
          && (number <= largestArrived - reordering || sentNanos[at] <= longAgo)) {
        states[at] = LOST;
        inFlight--;
        fates.lost(ordinals[at], symbols[at]);
      } else if (number > largestArrived - reordering && sentNanos[at] > longAgo) {
        break;
      }
    }
    while (oldest < next && oldest <= largestArrived) {
      byte state = states[(int) oldest & MASK];
      if (state == IN_FLIGHT) {
        break;
      }
      if (state == ARRIVED || state == LOST) {
        fates.settled(state == LOST);
      }
      oldest++;
    }
  }
}
