package io.cascade.coding.control;

import io.cascade.coding.control.ResumePhase.Event;
import io.cascade.coding.loss.LossTest;
import org.jspecify.annotations.Nullable;

/**
 * Starts with what is known of the path (RFC 9959). Once the initial window has arrived as
 * expected, the window jumps to half of what the path carried; if the jump meets congestion, it is
 * reduced again. Congestion is a queue, or a loss rate above the path's own: random losses are
 * repaired and do not count.
 */
final class CarefulResume {
  private static final double JUMP_SHARE = 0.5;
  private static final double RETREAT_SHARE = 0.5;
  private static final double LEAST_WINDOW = 4;

  /** Bounds, in round trips of the known path, within which a path may be the same (RFC 9959). */
  private static final double LEAST_ROUND_TRIP = 0.5;

  private static final double MOST_ROUND_TRIP = 10;

  /** Consecutive packets of a jump that must have queued to count as congestion. */
  private static final int QUEUED = 8;

  /** Loss rate from which losses count as the path's own. */
  private static final double TINY_LOSS = 0.0005;

  /** Number of packets on which the known loss rate is assumed to be based. */
  private static final double KNOWN_PACKETS = 300;

  private final int initialWindow;
  private ResumePhase phase = ResumePhase.NORMAL;
  private double knownPackets;
  private double knownNanos;
  private double knownLoss;

  /** First ordinal, and the one after the last: of the initial window, then of the jump. */
  private long first;

  private long end;
  private int arrived;
  private int lost;
  private int queuedInARow;
  private boolean isSilent;
  private boolean hasRetreated;

  private double windowBefore;

  /** Packets that the path has been shown to carry in a round trip ("PipeSize"). */
  private double pipe;

  CarefulResume(int initialWindow) {
    this.initialWindow = initialWindow;
  }

  ResumePhase phase() {
    return phase;
  }

  /** Whether the last jump met congestion. */
  boolean hasRetreated() {
    return hasRetreated;
  }

  /** Begins a start; without known parameters it is an ordinary one. */
  void begin(@Nullable RetainedPath known, long nextOrdinal) {
    hasRetreated = false;
    if (known == null) {
      phase = ResumePhase.NORMAL;
      return;
    }
    phase = phase.after(Event.BEGUN);
    knownPackets = known.packets();
    knownNanos = known.roundTripNanos();
    knownLoss = known.lossRate();
    watch(nextOrdinal, nextOrdinal + initialWindow);
  }

  private void watch(long from, long to) {
    first = from;
    end = to;
    arrived = 0;
    lost = 0;
    queuedInARow = 0;
    isSilent = false;
  }

  /**
   * A packet has arrived.
   *
   * @param isQueued whether it waited in a queue longer than the target
   */
  void arrived(long ordinal, boolean isQueued) {
    if (ordinal >= first && ordinal < end) {
      arrived++;
      queuedInARow = isQueued ? queuedInARow + 1 : 0;
      pipe += phase.hasJumped() ? 1 : 0;
    }
  }

  void lost(long ordinal) {
    if (ordinal >= first && ordinal < end) {
      lost++;
    }
  }

  /** Nothing was received for a probe time-out. */
  void timedOut() {
    isSilent = true;
  }

  /** START ends without a jump. */
  void leaveStart() {
    phase = phase.after(Event.REFUTED);
  }

  /**
   * Evaluates an acknowledgement.
   *
   * @param nextOrdinal of the next packet
   * @param inFlight packets in flight
   * @param isUsed whether the sender fills its window
   * @return the new window
   */
  double judge(
      double window, long nextOrdinal, int inFlight, boolean isUsed, double roundTripNanos) {
    switch (phase) {
      case RECONNAISSANCE -> {
        boolean isSame =
            roundTripNanos >= LEAST_ROUND_TRIP * knownNanos
                && roundTripNanos <= MOST_ROUND_TRIP * knownNanos;
        double jump = JUMP_SHARE * knownPackets;
        if (isCongested() || (arrived > 0 && !isSame) || window >= jump) {
          phase = phase.after(Event.REFUTED);
        } else if (arrived + lost == initialWindow && isUsed) {
          phase = phase.after(Event.CONFIRMED);
          windowBefore = window;
          pipe = inFlight;
          watch(nextOrdinal, Long.MAX_VALUE);
          return jump;
        }
      }
      case UNVALIDATED, VALIDATING -> {
        if (isCongested()) {
          phase = phase.after(Event.CONGESTION);
          hasRetreated = true;
          end = Math.min(end, nextOrdinal);
          return Math.max(LEAST_WINDOW, RETREAT_SHARE * pipe);
        }
        if (phase == ResumePhase.VALIDATING) {
          return Math.max(window, windowBefore + arrived); // Slow start by the jump's packets.
        }
      }
      case SAFE_RETREAT, NORMAL -> {}
    }
    return window;
  }

  /**
   * A round that began with or after the jump has ended.
   *
   * @param mostInFlight in the round
   * @return the new window
   */
  double endRound(double window, long nextOrdinal, long mostInFlight) {
    if (phase == ResumePhase.UNVALIDATED) {
      phase = phase.after(Event.JUMP_ARRIVES);
      end = nextOrdinal;
      windowBefore =
          Math.max(windowBefore, Math.min(window, (double) mostInFlight)); // The used window.
      return windowBefore;
    }
    phase = phase.after(Event.JUMP_RESOLVED);
    return window;
  }

  /** Most packets in a round trip after a retreat; no bound without one. */
  double most() {
    return hasRetreated ? pipe : Double.MAX_VALUE;
  }

  private boolean isCongested() {
    if (isSilent || queuedInARow >= QUEUED) {
      return true;
    }
    if (phase == ResumePhase.RECONNAISSANCE && knownLoss < TINY_LOSS) {
      return lost > 0;
    }
    return LossTest.excess(lost, (double) arrived + lost, knownLoss, KNOWN_PACKETS, 1)
        > LossTest.EXCESS;
  }
}
