package io.cascade.segments;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one pipe was given to carry and has not delivered yet, and what follows of it: the pipe's
 * round-trip time, its delivery rate, and how much it may be given.
 *
 * <p>The rate is estimated as BBR does (draft-cheng-iccrg-delivery-rate-estimation): octets
 * delivered between a piece's sending and its acknowledgement, over the longer of the times in
 * which they were sent and acknowledged; samples from when there was nothing to send only raise it.
 * The pipe has its own congestion control below. The window here is twice the rate times the least
 * round trip: enough to keep the pipe busy, and little enough that no long queue lies in it.
 */
final class PipeFlight {
  static final long LEAST_WINDOW = 128 << 10;
  private static final double WINDOW_GAIN = 2;
  private static final long LEAST_RATE_MEMORY_NANOS = 1_000_000_000;
  private static final long LEAST_OVERDUE_NANOS = 250_000_000;
  private static final int LEAST_PIECE = 4 << 10;
  private static final double PIECE_NANOS = 10e6;

  private final int number;
  private final double weight;
  private final Deque<Sent> flight = new ArrayDeque<>();
  private final RoundTrip roundTrip = new RoundTrip();
  private final RateFilter rate = new RateFilter();

  private PipeState state = PipeState.ACTIVE;
  private boolean writing;
  private long given;
  private long arrived;
  private long lastArrivalNanos;
  private long firstSentNanos;

  /** In duplicate mode, the first offset that the pipe was not given yet. */
  private long cursor;

  /** What it counts as having been given before it joined: what the others had by then. */
  private double given0;

  /** One piece on its way. */
  static final class Sent {
    private final long start;
    private final long end;
    private final long givenAfter;
    private final long sentNanos;
    private final long arrivedBefore;
    private final long arrivalNanos;
    private final long firstSentNanos;
    private final boolean nothingElse;

    /** Whether other pipes are to carry all of it, or do. */
    private boolean handedOver;

    /** Up to which offset another pipe carries a copy of it. */
    private long copiedTo;

    private Sent(PipeFlight pipe, long start, long end, boolean nothingElse, long nowNanos) {
      this.start = start;
      this.end = end;
      this.givenAfter = pipe.given;
      this.sentNanos = nowNanos;
      this.arrivedBefore = pipe.arrived;
      this.arrivalNanos = pipe.lastArrivalNanos;
      this.firstSentNanos = pipe.firstSentNanos;
      this.nothingElse = nothingElse;
    }

    long start() {
      return start;
    }

    long end() {
      return end;
    }

    boolean handedOver() {
      return handedOver;
    }

    void handOver() {
      handedOver = true;
    }

    void takeBack() {
      handedOver = false;
    }

    void copiedTo(long offset) {
      copiedTo = offset;
    }

    /** Whether it alone has the octet at the offset, as far as this flight knows. */
    boolean holdsUp(long offset) {
      return !handedOver && start <= offset && offset < end && copiedTo <= offset;
    }
  }

  /**
   * @param weight share of the data under a weighted scheduler
   * @param roundTripNanos as the pipe's introduction took; 0 where that is not known
   */
  PipeFlight(int number, double weight, long roundTripNanos) {
    this.number = number;
    this.weight = weight;
    if (roundTripNanos > 0) {
      roundTrip.sample(roundTripNanos);
    }
  }

  int number() {
    return number;
  }

  double weight() {
    return weight;
  }

  PipeState state() {
    return state;
  }

  void on(PipeState.Event event) {
    state = state.on(event);
  }

  /** Whether a frame is being written to it, so that it does not ask for another one. */
  boolean writing() {
    return writing;
  }

  void writing(boolean now) {
    writing = now;
  }

  long cursor() {
    return cursor;
  }

  void cursor(long offset) {
    cursor = offset;
  }

  /** Notes a piece that the pipe is given. */
  void sent(long start, long end, boolean nothingElse, long nowNanos) {
    if (flight.isEmpty()) {
      firstSentNanos = nowNanos;
      lastArrivalNanos = nowNanos;
    }
    given += end - start;
    flight.addLast(new Sent(this, start, end, nothingElse, nowNanos));
  }

  /**
   * The peer says how much has come over the pipe.
   *
   * @return the pieces that have
   */
  List<Sent> arrived(long total, long nowNanos) throws ProtocolViolation {
    if (total > given) {
      throw new ProtocolViolation(
          Reason.ACKNOWLEDGED_UNSENT,
          "%d octets on pipe %d, of %d".formatted(total, number, given));
    }
    if (total <= arrived) {
      return List.of();
    }
    List<Sent> pieces = new ArrayList<>();
    Sent last = null;
    while (!flight.isEmpty() && flight.getFirst().givenAfter <= total) {
      last = flight.removeFirst();
      pieces.add(last);
    }
    arrived = total;
    if (last != null) {
      long trip = Math.max(1, nowNanos - last.sentNanos);
      roundTrip.sample(trip);
      long took =
          Math.max(
              Math.max(nowNanos - last.arrivalNanos, last.sentNanos - last.firstSentNanos),
              (long) roundTrip.leastNanos());
      double sample = (total - last.arrivedBefore) / (double) took;
      if (!last.nothingElse || sample >= rate.rate()) {
        long memory = Math.max(LEAST_RATE_MEMORY_NANOS, (long) (10 * roundTrip.smoothedNanos()));
        rate.sample(sample, nowNanos, memory);
      }
      firstSentNanos = last.sentNanos;
    }
    lastArrivalNanos = nowNanos;
    return pieces;
  }

  /** A probe came back. */
  void echoed(long tripNanos) {
    roundTrip.sample(Math.max(1, tripNanos));
  }

  Iterable<Sent> pieces() {
    return flight;
  }

  @Nullable Sent oldest() {
    return flight.peekFirst();
  }

  int pieceCount() {
    return flight.size();
  }

  long arrivedOctets() {
    return arrived;
  }

  long inFlight() {
    return given - arrived;
  }

  /** What it was given, in parts of its weight; 1 is everybody's where nobody has one. */
  double share(boolean weighted) {
    return given0 + given / (weighted ? weight : 1);
  }

  void beginShareAt(double share) {
    given0 = share;
  }

  /** How much may be in flight. */
  long window() {
    return Math.max(LEAST_WINDOW, (long) (WINDOW_GAIN * rate.rate() * roundTrip.leastNanos()));
  }

  boolean mayCarry() {
    return state == PipeState.ACTIVE && inFlight() < window();
  }

  /** Octets per nanosecond; where nothing was measured, the least window in a round trip. */
  double rate() {
    return rate.rate() > 0 ? rate.rate() : LEAST_WINDOW / roundTrip.smoothedNanos();
  }

  double roundTripNanos() {
    return roundTrip.smoothedNanos();
  }

  /** In how long so many octets more would be acknowledged, if they were given to it now. */
  double completionNanos(long octets) {
    return (inFlight() + octets) / rate() + roundTrip.leastNanos();
  }

  /**
   * In how long a piece should be acknowledged; the longer it is overdue, the longer it may take.
   */
  double expectedNanos(Sent piece, long nowNanos) {
    double due = piece.sentNanos + roundTrip.smoothedNanos();
    return Math.abs(due - nowNanos);
  }

  /** As much as the pipe carries in 10 ms: quick pipes get few large pieces, slow ones small. */
  int pieceBytes() {
    return (int)
        Math.max(LEAST_PIECE, Math.min(FrameCodec.MOST_DATA, (long) (rate() * PIECE_NANOS)));
  }

  /** When what is in flight is overdue; {@link Long#MAX_VALUE} where nothing is. */
  long overdueAtNanos() {
    Sent oldest = flight.peekFirst();
    if (oldest == null) {
      return Long.MAX_VALUE;
    }
    long patience =
        Math.max(
            LEAST_OVERDUE_NANOS,
            (long) (2 * roundTrip.smoothedNanos() + 4 * roundTrip.variationNanos()));
    return Math.max(oldest.sentNanos, lastArrivalNanos) + patience;
  }
}
