package io.cascade.studies.transfers;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Goals of transfers with their measured values. */
final class TransferGoals {
  private static final double OF_BEST = 0.95;
  private static final double OF_TAR = 0.8;
  private static final double SENT_AGAIN = 0.05;

  /** Percentage of the kills to which the goal of the share sent again applies. */
  private static final int PERCENT = 60;

  private final TransferFindings findings;
  private final List<KillResult> kills;

  TransferGoals(TransferFindings findings, List<KillResult> kills) {
    this.findings = findings;
    this.kills = List.copyOf(kills);
  }

  List<Goal> rows() {
    List<Goal> rows = new ArrayList<>();
    String best = "rate over the best other program";
    each(CopyTest.Kind.FILE, best, "≥ 0.95", rows, this::overBest);
    each(CopyTest.Kind.SMALL, best, "≥ 0.95", rows, this::overBest);
    each(CopyTest.Kind.SMALL, "rate over `tar | send -`", "≥ 0.8", rows, this::overTar);
    each(CopyTest.Kind.TREE, "arrives unchanged", "every entry", rows, this::whole);
    cuts(rows);
    rows.add(kills());
    return rows;
  }

  /** Judges one test. */
  private interface Judge {
    /** Returns the value and its finding; empty if it was not measured. */
    Optional<Found> of(CopyTest test);
  }

  private record Found(String words, Finding finding) {
    private static Found of(Estimate value, Finding finding) {
      return new Found(value.words(), finding);
    }
  }

  private void each(CopyTest.Kind kind, String what, String goal, List<Goal> rows, Judge judge) {
    List<CopyTest> tests = findings.tests(kind);
    if (tests.isEmpty()) {
      rows.add(Goal.notMeasured(title(kind) + ": " + what, goal));
    }
    for (CopyTest test : tests) {
      rows.add(row(test.title() + ": " + what, goal, judge.of(test)));
    }
  }

  private static Goal row(String what, String goal, Optional<Found> found) {
    return found
        .map(one -> new Goal(what, goal, one.words(), one.finding()))
        .orElseGet(() -> Goal.notMeasured(what, goal));
  }

  private static String title(CopyTest.Kind kind) {
    return switch (kind) {
      case FILE -> "a file";
      case SMALL -> "small files";
      case TREE -> "a tree";
      case CUT -> "a cut";
    };
  }

  private Optional<Found> overBest(CopyTest test) {
    return failed(test)
        .or(() ->
            findings
                .best(test)
                .flatMap(best -> findings.over(test, best))
                .map(ratio -> Found.of(ratio, ratio.atLeast(OF_BEST))));
  }

  private Optional<Found> overTar(CopyTest test) {
    return failed(test)
        .or(() ->
            findings
                .over(test, Contender.TAR)
                .map(ratio -> Found.of(ratio, ratio.atLeast(OF_TAR))));
  }

  /** A finding of "missed" if {@code send} failed. */
  private Optional<Found> failed(CopyTest test) {
    return findings.of(test, Contender.SEND).stream()
        .filter(TransferResult::isFailed)
        .findFirst()
        .map(run -> new Found("failed: " + run.note(), Finding.MISSED));
  }

  private Optional<Found> whole(CopyTest test) {
    return failed(test)
        .or(() ->
            findings
                .arrived(test, Contender.SEND)
                .map(arrived ->
                    new Found(
                        TransferReport.words(arrived),
                        arrived.isSame() ? Finding.MET : Finding.MISSED)));
  }

  private void cuts(List<Goal> rows) {
    String goal = "≤ 5 %";
    List<CopyTest> cuts =
        findings.tests(CopyTest.Kind.CUT).stream().filter(cut -> cut.percent() == PERCENT).toList();
    if (cuts.isEmpty()) {
      rows.add(Goal.notMeasured("an end killed at 60 %: share sent again", goal));
    }
    for (CopyTest cut : cuts) {
      rows.add(
          row(
              cut.title() + ": share sent again",
              goal,
              failed(cut)
                  .or(() ->
                      findings
                          .sentAgain(cut, Contender.SEND)
                          .map(share ->
                              new Found(
                                  TransferReport.percent(share), share.atMost(SENT_AGAIN))))));
    }
  }

  private Goal kills() {
    String what = "transfers with kills at random times: wrong bytes";
    String goal = "none";
    if (kills.isEmpty()) {
      return Goal.notMeasured(what, goal);
    }
    long wrong = kills.stream().filter(kill -> kill.ending() == KillResult.Ending.WRONG).count();
    return new Goal(
        what,
        goal,
        String.format(Locale.ROOT, "%d of %d", wrong, kills.size()),
        wrong == 0 ? Finding.MET : Finding.MISSED);
  }
}
