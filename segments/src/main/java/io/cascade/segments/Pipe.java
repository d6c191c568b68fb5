package io.cascade.segments;

import org.jspecify.annotations.Nullable;

/**
 * One pipe of a stream, in both directions: what arrived over it, the control frames due to the
 * peer, and its timers.
 */
final class Pipe {
  /** Silence after which a pipe is dropped although it was probed. */
  static final long DEAD_NANOS = 12_000_000_000L;

  /** Silence after which a pipe is probed. */
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
  private boolean withdrawalDue;
  private boolean peerWithdrew;
  private long leavingNanos;

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

  /** A frame of any kind arrived. */
  void heard(long nowNanos) {
    heardNanos = nowNanos;
  }

  /** Data, or the end, arrived. */
  void arrived(int octets) {
    received += octets;
    acknowledge = true;
    if (received > FrameCodec.MOST_DATA && !flight.isRoundTripKnown() && !probeOpen) {
      probeDue = true; // an end that only receives has no other measurement of the round trip
    }
  }

  /** An acknowledgement is due over this pipe. */
  void acknowledge() {
    acknowledge = true;
  }

  /** The peer has probed the pipe. */
  void probed(long probe) {
    echo = probe;
    echoDue = true;
  }

  /** The peer has answered a probe; only an answer to the last one counts. */
  void echoed(long probe, long nowNanos) {
    if (probe == probes && probeOpen) {
      probeOpen = false;
      flight.echoed(nowNanos - probedNanos);
    }
  }

  /** The peer has ended its output on the pipe as the protocol allows. */
  void peerEnded() {
    peerEnded = true;
  }

  /** Sends no more data over it, and requests the same of the peer. */
  void withdraw(long nowNanos) {
    if (!isLeaving()) {
      withdrawalDue = true;
      leave(nowNanos);
    }
  }

  /** The peer sends no more data over it: all that it sent has arrived. */
  void peerWithdraws(long nowNanos) {
    peerWithdrew = true;
    if (!isLeaving()) {
      leave(nowNanos);
    }
  }

  private void leave(long nowNanos) {
    leavingNanos = nowNanos;
    flight.on(PipeState.Event.WITHDRAWN);
  }

  boolean isLeaving() {
    return flight.state() == PipeState.LEAVING;
  }

  /**
   * Returns whether the pipe is withdrawn and the peer has acknowledged everything that was sent
   * over it.
   */
  boolean isIdleAndLeaving() {
    return isLeaving() && flight.inFlight() == 0;
  }

  /**
   * Returns whether the pipe is withdrawn and nothing more must be sent over it. The junction that
   * withdraws it waits for the peer's end, so that it can acknowledge what the peer still has in
   * flight.
   */
  boolean mayEnd() {
    return isIdleAndLeaving() && (peerWithdrew || peerEnded) && !owesAnswer();
  }

  boolean isPeerEnded() {
    return peerEnded;
  }

  /** Returns the control frame to write before any data; null if none is due. */
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
    if (withdrawalDue) {
      withdrawalDue = false;
      return new Frame.Withdrawal();
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
   * Returns the reset, once.
   *
   * @param failure what to tell the peer; null if it need not be told
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

  /** Whether an acknowledgement or an echo is due. */
  boolean owesAnswer() {
    return acknowledge || echoDue || withdrawalDue;
  }

  /** Reason for which the pipe must be dropped; null if there is none. */
  @Nullable String obituary(long nowNanos) {
    if (peerEnded) {
      return null;
    }
    if (nowNanos - heardNanos >= DEAD_NANOS) {
      return "silent for %d s".formatted(DEAD_NANOS / 1_000_000_000);
    }
    return isLeaving() && nowNanos - leavingNanos >= DEAD_NANOS
        ? "withdrawn, and not over after %d s".formatted(DEAD_NANOS / 1_000_000_000)
        : null;
  }

  /**
   * Hands an overdue flight to the other pipes, and probes a pipe that is overdue or silent.
   *
   * @return when to call again at the latest
   */
  long onTime(Sender sender, long nowNanos) {
    if (peerEnded) {
      return Long.MAX_VALUE;
    }
    long overdueAt = flight.state() == PipeState.SUSPECT ? Long.MAX_VALUE : flight.overdueAtNanos();
    if (nowNanos >= overdueAt) {
      sender.overdue(flight);
      probeDue = !probeOpen;
      overdueAt = Long.MAX_VALUE;
    }
    long probeAt = heardNanos + PROBE_NANOS;
    if (!probeOpen && nowNanos >= probeAt) {
      probeDue = true;
    }
    long deadAt = (isLeaving() ? Math.min(heardNanos, leavingNanos) : heardNanos) + DEAD_NANOS;
    return Math.min(Math.min(overdueAt, deadAt), nowNanos >= probeAt ? Long.MAX_VALUE : probeAt);
  }

  PipeReport report() {
    return new PipeReport(
        flight.measuredRate() * 1e9,
        flight.isRoundTripKnown() ? flight.roundTripNanos() / 1e6 : 0,
        flight.inFlight());
  }
}
