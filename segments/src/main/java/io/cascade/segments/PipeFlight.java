package io.cascade.segments;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Data in flight over one pipe, and the values derived from it: the pipe's round-trip time, its
 * delivery rate, and its window.
 *
 * <p>The rate is estimated as BBR does (draft-cheng-iccrg-delivery-rate-estimation): octets
 * delivered between a piece's sending and its acknowledgement, over the longer of the times in
 * which they were sent and acknowledged; samples taken when there was nothing to send can only
 * raise it. The pipe has its own congestion control below. The window here is twice the rate times
 * the least round trip: enough to keep the pipe busy, without a long queue in it.
 */
final class PipeFlight {
  static final long LEAST_WINDOW = 128 << 10;
  private static final double WINDOW_GAIN = 2;
  private static final long LEAST_RATE_MEMORY_NANOS = 1_000_000_000;
  private static final long LEAST_OVERDUE_NANOS = 250_000_000;
  private static final int LEAST_PIECE = 4 << 10;
  private static final double PIECE_NANOS = 10e6;

  private final int number;
  private final Deque<Sent> flight = new ArrayDeque<>();
  private final RoundTrip roundTrip = new RoundTrip();
  private final RateFilter rate = new RateFilter();

  private PipeState state = PipeState.ACTIVE;
  private boolean writing;
  private long given;
  private long arrived;
  private long lastArrivalNanos;
  private long firstSentNanos;

  /** Bound on the data in flight since other pipes had to repeat data that this one delayed. */
  private long cap = Long.MAX_VALUE;

  private long cappedNanos;

  /** First offset that was not sent over the pipe yet, in duplicate mode. */
  private long cursor;

  /** Data that counts as sent before the pipe joined: what the others had sent by then. */
  private long given0;

  /** One piece in flight. */
  static final class Sent {
    private final long start;
    private final long end;
    private final long givenAfter;
    private final long sentNanos;
    private final long arrivedBefore;
    private final long arrivalNanos;
    private final long firstSentNanos;
    private final boolean nothingElse;

    /** Whether all of it is to be carried by other pipes, or is. */
    private boolean handedOver;

    /** Offset up to which another pipe carries a copy. */
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

    /**
     * The offset from which on no other pipe has it, as far as this flight knows; its end if there
     * is none.
     */
    long aloneFrom(long offset) {
      return handedOver ? end : Math.clamp(Math.max(offset, copiedTo), start, end);
    }
  }

  /**
   * @param roundTripNanos time that the pipe's introduction took; 0 if unknown
   */
  PipeFlight(int number, long roundTripNanos) {
    this.number = number;
    if (roundTripNanos > 0) {
      roundTrip.sample(roundTripNanos);
    }
  }

  int number() {
    return number;
  }

  PipeState state() {
    return state;
  }

  void on(PipeState.Event event) {
    state = state.on(event);
  }

  /** Whether a frame is being written to it, so that it does not request another one. */
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

  /** Records a piece that was sent over the pipe. */
  void sent(long start, long end, boolean nothingElse, long nowNanos) {
    if (flight.isEmpty()) {
      firstSentNanos = nowNanos;
      lastArrivalNanos = nowNanos;
    }
    given += end - start;
    flight.addLast(new Sent(this, start, end, nothingElse, nowNanos));
  }

  /**
   * The peer reports how much has arrived over the pipe.
   *
   * @return the pieces that have arrived
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
    open(total - arrived);
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

  /** A probe was answered. */
  void echoed(long tripNanos) {
    roundTrip.sample(Math.max(1, tripNanos));
  }

  Iterable<Sent> pieces() {
    return flight;
  }

  int pieceCount() {
    return flight.size();
  }

  long inFlight() {
    return given - arrived;
  }

  /** Data that counts as sent over the pipe. */
  long share() {
    return given0 + given;
  }

  void beginShareAt(long share) {
    given0 = share;
  }

  /** Most data in flight. */
  long window() {
    return Math.min(cap, uncappedWindow());
  }

  private long uncappedWindow() {
    return Math.max(LEAST_WINDOW, (long) (WINDOW_GAIN * rate.rate() * roundTrip.leastNanos()));
  }

  /**
   * Halves the bound on the data in flight because something in it was late, at most once per round
   * trip. Arrivals raise it again.
   */
  void penalise(long nowNanos) {
    if (cap == Long.MAX_VALUE || nowNanos - cappedNanos >= roundTrip.smoothedNanos()) {
      cap = Math.max(2 * LEAST_PIECE, Math.min(cap, inFlight()) / 2);
      cappedNanos = nowNanos;
    }
  }

  private void open(long octets) {
    if (cap != Long.MAX_VALUE) {
      cap += octets / 2;
      if (cap >= uncappedWindow()) {
        cap = Long.MAX_VALUE;
      }
    }
  }

  boolean mayCarry() {
    return state == PipeState.ACTIVE && inFlight() < window();
  }

  /** Octets per nanosecond; if nothing was measured, the least window per round trip. */
  double rate() {
    return rate.rate() > 0 ? rate.rate() : LEAST_WINDOW / roundTrip.smoothedNanos();
  }

  /** Octets per nanosecond; 0 if nothing was measured. */
  double measuredRate() {
    return rate.rate();
  }

  boolean isRoundTripKnown() {
    return roundTrip.isKnown();
  }

  double leastRoundTripNanos() {
    return roundTrip.leastNanos();
  }

  double roundTripNanos() {
    return roundTrip.smoothedNanos();
  }

  /** Time until so many more octets would be acknowledged if they were sent now. */
  double completionNanos(long octets) {
    return (inFlight() + octets) / rate() + roundTrip.leastNanos();
  }

  /** The time until a piece should be acknowledged; negative if it is late. */
  double dueNanos(Sent piece, long nowNanos) {
    double drained = (piece.givenAfter - piece.arrivedBefore) / rate() + roundTrip.leastNanos();
    return piece.sentNanos + Math.min(roundTrip.smoothedNanos(), drained) - nowNanos;
  }

  /**
   * Bytes that the pipe carries in 10 ms: fast pipes get few large pieces, slow ones small ones.
   */
  int pieceBytes() {
    return (int)
        Math.max(LEAST_PIECE, Math.min(FrameCodec.MOST_DATA, (long) (rate() * PIECE_NANOS)));
  }

  /** Returns when the data in flight is overdue; {@link Long#MAX_VALUE} if there is none. */
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
