package io.cascade.packets.processing;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.SmoothedTime;
import java.util.List;

/**
 * Time to wait for a gap when the pipes give no information. As in Horizon (Radunovic et al.,
 * MobiCom 2008), it follows from the lateness of packets that filled gaps, smoothed like round
 * trips (RFC 6298): mean + 4 deviations. At least the difference of the pipes' delays, at most the
 * minimum of a sender's retransmission timer.
 */
final class GapPatience {
  private static final long MARGIN_NANOS = 20_000_000L;
  private static final long MOST_NANOS = 500_000_000L;

  private final SmoothedTime lateness = new SmoothedTime();

  /** A gap was filled this long after it was detected. */
  void filled(long latenessNanos) {
    lateness.sample(latenessNanos);
  }

  /**
   * @param pipes over which the missing packets may arrive
   */
  long nanos(List<Pipe> pipes) {
    long least = Long.MAX_VALUE;
    long most = 0;
    for (Pipe pipe : pipes) {
      least = Math.min(least, pipe.returnNanos());
      most = Math.max(most, pipe.returnNanos());
    }
    long leastNanos = most - least + MARGIN_NANOS;
    return Math.clamp(lateness.bound(), leastNanos, Math.max(leastNanos, MOST_NANOS));
  }
}
