package io.cascade.packets.processing;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.SmoothedTime;
import java.util.List;

/**
 * Time that a gap is waited for when the pipes say nothing. As Horizon does (Radunovic et al.,
 * MobiCom 2008), from how late packets that filled gaps came, smoothed as round trips are (RFC
 * 6298): mean + 4 deviations. Never less than the difference of the pipes' delays, never more than
 * what a sender's retransmission timer waits at least.
 */
final class GapPatience {
  private static final long MARGIN_NANOS = 20_000_000L;
  private static final long MOST_NANOS = 500_000_000L;

  private final SmoothedTime lateness = new SmoothedTime();

  /** A gap was filled so long after it was seen. */
  void filled(long latenessNanos) {
    lateness.sample(latenessNanos);
  }

  /**
   * @param pipes by which what is missing may come
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
