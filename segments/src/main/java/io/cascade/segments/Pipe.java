package io.cascade.segments;

import org.jspecify.annotations.Nullable;

/**
 * One pipe of a stream, in both directions: what came over it, the control frames that it owes the
 * peer, and its timers.
 */
final class Pipe {
  /** A pipe over which nothing came for so long is given up, although it was probed. */
  static final long DEAD_NANOS = 12_000_000_000L;

  /** A pipe over which nothing came for so long is probed. */
  private static final long PROBE_NANOS = 3_000_000_000L;

  private final PipeFlight flight;
  private long heardNanos;
  private long received;
  private boolean acknowledge = true;
  private boolean echoDue;
  private long echo;
  private boolean probeDue;
  private boolean probeOpen;
  private long probes;
  private long probedNanos;
  private boolean resetTold;
  private boolean peerEnded;

  Pipe(PipeFlight flight, long nowNanos) {
    this.flight = flight;
    this.heardNanos = nowNanos;
  }

  int number() {
    return flight.number();
  }

  PipeFlight flight() {
    return flight;
  }

  /** Octets that came over this pipe; an end counts as one. */
  long received() {
    return received;
  }

  /** A frame of any kind came. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  /** Data, or the end, came. */
  void arrived(int octets) {
    received += octets;
    acknowledge = true;
  }

  /** The peer is to be told what has come, over this pipe. */
  void acknowledge() {
    acknowledge = true;
  }

  /** The peer probes the pipe. */
  void probed(long probe) {
    echo = probe;
    echoDue = true;
  }

  /** The peer answers a probe; an answer to any but the last one counts for nothing. */
  void echoed(long probe, long nowNanos) {
    if (probe == probes && probeOpen) {
      probeOpen = false;
      flight.echoed(nowNanos - probedNanos);
    }
  }

  /** The peer has ended its output on the pipe, and rightly so. */
  void peerEnded() {
    peerEnded = true;
  }

  boolean isPeerEnded() {
    return peerEnded;
  }

  /** The control frame to write before any data; null where none is due. */
  @Nullable Frame nextControl(Receiver receiver, long nowNanos) {
    if (acknowledge) {
      acknowledge = false;
      receiver.announced();
      return new Frame.Acknowledgement(receiver.received(), receiver.limit(), received);
    }
    if (echoDue) {
      echoDue = false;
      return new Frame.Echo(echo);
    }
    if (probeDue) {
      probeDue = false;
      probeOpen = true;
      probedNanos = nowNanos;
      return new Frame.Probe(++probes);
    }
    return null;
  }

  /**
   * The reset, once.
   *
   * @param failure what to tell the peer; null where it need not be told
   */
  @Nullable Frame nextReset(SegmentStream.@Nullable Failure failure) {
    if (failure == null || resetTold) {
      return null;
    }
    resetTold = true;
    return new Frame.Reset(failure.reason(), failure.detail());
  }

  boolean resetTold() {
    return resetTold;
  }

  /** Whether an acknowledgement or an echo is still to be written. */
  boolean owesAnswer() {
    return acknowledge || echoDue;
  }

  /** Whether nothing came for so long that the pipe is to be given up. */
  boolean isDead(long nowNanos) {
    return !peerEnded && nowNanos - heardNanos >= DEAD_NANOS;
  }

  /**
   * Hands an overdue flight to the other pipes, and probes the pipe where it is overdue or silent.
   *
   * @return when to call again at the latest
   */
  long onTime(Sender sender, long nowNanos) {
    if (peerEnded) {
      return Long.MAX_VALUE;
    }
    long overdueAt = flight.state() == PipeState.ACTIVE ? flight.overdueAtNanos() : Long.MAX_VALUE;
    if (nowNanos >= overdueAt) {
      sender.overdue(flight);
      probeDue = !probeOpen;
      overdueAt = Long.MAX_VALUE;
    }
    long probeAt = heardNanos + PROBE_NANOS;
    if (!probeOpen && nowNanos >= probeAt) {
      probeDue = true;
    }
    return Math.min(
        Math.min(overdueAt, heardNanos + DEAD_NANOS),
        nowNanos >= probeAt ? Long.MAX_VALUE : probeAt);
  }

  PipeReport report() {
    return new PipeReport(
        flight.number(),
        flight.state(),
        flight.arrivedOctets(),
        received,
        flight.rate() * 1e9,
        flight.roundTripNanos() / 1e6);
  }
}
