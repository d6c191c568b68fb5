package io.cascade.contract;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.WayComparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Adds to a plan how its direct way and its best cascade compared in tests. */
public final class ComparisonDocument {
  /** Age from which a comparison's age is stated; younger ones were made for the plan. */
  private static final Duration NOTABLE_AGE = Duration.ofMinutes(1);

  /**
   * Ratio of a bound to the likely ratio beyond which the bounds say nothing, as after two pairs.
   */
  private static final double MOST_APART = 100;

  private ComparisonDocument() {}

  /**
   * The plan with a comparison: as its summary if the comparison decided the plan, otherwise as a
   * note.
   */
  public static Plan with(Plan plan, WayComparison compared) {
    Plan.Builder shown = plan.toBuilder().comparison(compared);
    boolean decided =
        plan.decision() != Decision.UNDECIDED && compared.decision() != Decision.UNDECIDED;
    return decided
        ? shown.summary(words(compared)).build()
        : withNote(shown.build(), words(compared));
  }

  /**
   * The plan with an additional note.
   *
   * @param note a sentence
   */
  public static Plan withNote(Plan plan, String note) {
    List<String> notes = new ArrayList<>(plan.notes());
    notes.add(note);
    return plan.toBuilder().notes(notes).build();
  }

  /**
   * The comparison in a sentence, such as {@code Through den: 2.4 times as fast as direct (1.6 to
   * 3.6), by 5 pairs of tests from home to sea.}
   */
  public static String words(WayComparison compared) {
    String via = "through " + String.join(", ", compared.relays());
    String times = SpeedRatio.times(compared.ratio()) + " times as fast as direct";
    String asFast = times + bounds(compared);
    String shown =
        switch (compared.decision()) {
          case CASCADE -> "T" + via.substring(1) + ": " + asFast;
          case DIRECT -> "Directly: " + via + " it is " + asFast;
          case EQUAL -> "Either, within 10 %: " + via + " it is " + asFast;
          case UNDECIDED -> "Compared and still undecided: " + via + " it was " + asFast;
        };
    String why =
        compared.stoppedBecause() == null ? "" : "; no more of them: " + compared.stoppedBecause();
    return shown + tests(compared) + why + ".";
  }

  private static String bounds(WayComparison compared) {
    Double low = compared.ratioLow();
    Double high = compared.ratioHigh();
    if (low == null
        || high == null
        || low * MOST_APART < compared.ratio()
        || high > compared.ratio() * MOST_APART) {
      return "";
    }
    return " (" + SpeedRatio.times(low) + " to " + SpeedRatio.times(high) + ")";
  }

  private static String tests(WayComparison compared) {
    Duration age = Duration.ofMillis(Math.round(compared.ageSeconds() * 1e3));
    String pairs = compared.pairs() == 1 ? "one pair" : compared.pairs() + " pairs";
    return ", by "
        + pairs
        + " of tests from "
        + compared.from()
        + " to "
        + compared.to()
        + (age.compareTo(NOTABLE_AGE) < 0 ? "" : " " + Quantities.ago(age));
  }
}
