package io.cascade.client.transfer;

import java.time.Duration;
import java.util.Optional;

/**
 * Finds out which of two connections of one transfer is the quicker one, from what arrives over
 * both while they share its blocks. Nothing is sent twice for it, so it costs what the better one
 * would have carried alone in excess of both, which is little.
 *
 * <p>Both are looked at from the moment at which both had begun. After {@code least}, one that has
 * lately been {@value #CLEAR} times as quick is taken, unless the other one catches up: congestion
 * windows of long round trips grow more slowly. After {@code most} the quicker one is taken, or the
 * first one where there is next to no difference.
 *
 * @param least to look for
 * @param most to look for
 */
public record Trial(Duration least, Duration most) {
  static final Trial USUAL = new Trial(Duration.ofSeconds(2), Duration.ofSeconds(6));

  static final double CLEAR = 1.25;

  /** A difference that nobody would notice. */
  private static final double NEXT_TO_NONE = 1.05;

  /** Growth over the leader's that counts as catching up. */
  private static final double CATCHES_UP = 1.1;

  /** What a trial found out. */
  public enum Verdict {
    FIRST,
    SECOND
  }

  /**
   * Judges what has arrived so far.
   *
   * @return empty where it is too early to say
   */
  Optional<Verdict> judge(Pace first, Pace second, long nowNanos) {
    long together = nowNanos - Math.max(first.startNanos(), second.startNanos());
    if (together < least.toNanos()) {
      return Optional.empty();
    }
    long span = Math.min(together / 2, least.toNanos());
    long middle = nowNanos - span;
    double one = first.bitsPerSecond(middle, nowNanos);
    double other = second.bitsPerSecond(middle, nowNanos);
    boolean secondLeads = other > one;
    double lead = secondLeads ? other / one : one / other;
    if (together >= most.toNanos()) {
      return Optional.of(secondLeads && lead > NEXT_TO_NONE ? Verdict.SECOND : Verdict.FIRST);
    }
    double growthOfFirst = one / first.bitsPerSecond(middle - span, middle);
    double growthOfSecond = other / second.bitsPerSecond(middle - span, middle);
    boolean catchesUp =
        secondLeads
            ? growthOfFirst > CATCHES_UP * Math.max(1, growthOfSecond)
            : growthOfSecond > CATCHES_UP * Math.max(1, growthOfFirst);
    if (!(lead >= CLEAR) || catchesUp) {
      return Optional.empty();
    }
    return Optional.of(secondLeads ? Verdict.SECOND : Verdict.FIRST);
  }
}
