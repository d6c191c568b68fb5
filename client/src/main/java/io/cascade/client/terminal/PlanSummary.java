package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Plan;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan in one sentence, with the age of its measurements. */
public final class PlanSummary {
  /** Tolerated difference of two hosts' clocks: a younger plan counts as current. */
  private static final Duration FRESH = Duration.ofSeconds(5);

  private PlanSummary() {}

  /** The {@link #of(Plan, Instant) summary} as of now. */
  public static String of(Plan plan) {
    return of(plan, Instant.now());
  }

  /**
   * Summarizes a plan, such as {@code Through den: about 4 times as fast as direct (likely 3 to 5).
   * Measured 2 min ago.}
   */
  public static String of(Plan plan, Instant now) {
    return Printable.line(plan.summary() + age(plan, now));
  }

  /**
   * Notes that a chain uses other relays than the plan that was shown before, for example after a
   * new measurement; empty where it does not.
   *
   * @param shown the plan that was shown; null for none
   * @param relays the chain's
   */
  public static String otherwise(@Nullable Plan shown, List<String> relays) {
    List<String> named = shown == null ? null : shown.relays();
    return named == null || named.isEmpty() || named.equals(relays)
        ? ""
        : Printable.line(
            ", not " + String.join(", ", named) + ": the plan was made again for the chain");
  }

  private static String age(Plan plan, Instant now) {
    Duration since = Duration.between(plan.plannedAt(), now);
    if (since.compareTo(FRESH) < 0) {
      since = Duration.ZERO;
    }
    Double before = plan.evidenceAgeSeconds();
    if (before == null) {
      return since.isZero() ? "" : " Planned " + Quantities.ago(since) + ".";
    }
    Duration age = since.plusMillis(Math.round(before * 1e3));
    return age.compareTo(FRESH) < 0
        ? " Measured just now."
        : " Measured " + Quantities.ago(age) + ".";
  }
}
