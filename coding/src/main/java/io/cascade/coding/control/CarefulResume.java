package io.cascade.coding.control;

import io.cascade.coding.control.ResumePhase.Event;
import io.cascade.coding.loss.LossTest;
import org.jspecify.annotations.Nullable;

/**
 * Start with what is known of the path (RFC 9959): once the initial window has arrived as it
 * should, the window jumps to half of what the path carried, and is given back where the jump meets
 * congestion. That is a queue, or more losses than the path has by itself: chance losses are
 * repaired, and mean nothing.
 */
final class CarefulResume {
  private static final double JUMP_SHARE = 0.5;
  private static final double RETREAT_SHARE = 0.5;
  private static final double LEAST_WINDOW = 4;

  /** Round trips, in that of the known path, within which a path may be the same (RFC 9959). */
  private static final double LEAST_ROUND_TRIP = 0.5;

  private static final double MOST_ROUND_TRIP = 10;

  /** Packets of a jump that queue in a row before that is believed. */
  private static final int QUEUED = 8;

  /** Losses that the path has by itself from here on. */
  private static final double TINY_LOSS = 0.0005;

  /** Packets that the known loss rate is taken to rest on. */
  private static final double KNOWN_PACKETS = 300;

  private final int initialWindow;
  private ResumePhase phase = ResumePhase.NORMAL;
  private double knownPackets;
  private double knownNanos;
  private double knownLoss;

  /** Ordinals of the initial window, then of the jump: from the first to before the second. */
  private long first;

  private long end;
  private int arrived;
  private int lost;
  private int queuedInARow;
  private boolean isSilent;
  private boolean hasRetreated;

  private double windowBefore;

  /** Packets that the path is known to take in a round trip ("PipeSize"). */
  private double pipe;

  CarefulResume(int initialWindow) {
    this.initialWindow = initialWindow;
  }

  ResumePhase phase() {
    return phase;
  }

  /** Whether the latest jump met congestion. */
  boolean hasRetreated() {
    return hasRetreated;
  }

  /** Begins a start; with nothing known it is as any other one. */
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
   * @param isQueued whether it stood in a queue longer than the target
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

  /** Nothing is heard. */
  void timedOut() {
    isSilent = true;
  }

  /** START is left without a jump. */
  void leaveStart() {
    phase = phase.after(Event.REFUTED);
  }

  /**
   * Judges what an acknowledgement told.
   *
   * @param nextOrdinal of the next packet
   * @param inFlight packets under way
   * @param isUsed whether the sender fills its window
   * @return the window from now on
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
          return Math.max(window, windowBefore + arrived); // Slow start, of the jump alone.
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
   * @return the window from now on
   */
  double endRound(double window, long nextOrdinal, long mostInFlight) {
    if (phase == ResumePhase.UNVALIDATED) {
      phase = phase.after(Event.JUMP_ARRIVES);
      end = nextOrdinal;
      windowBefore =
          Math.max(windowBefore, Math.min(window, (double) mostInFlight)); // What was used.
      return windowBefore;
    }
    phase = phase.after(Event.JUMP_RESOLVED);
    return window;
  }

  /** Most packets in a round trip that a retreat leaves; no bound without one. */
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
