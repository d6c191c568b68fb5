package io.cascade.studies.transfers;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.report.Sample;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Results by test.
 *
 * @param results of all tests
 */
record TransferFindings(List<TransferResult> results) {
  /** Copies the list. */
  TransferFindings {
    results = List.copyOf(results);
  }

  /** Tests of a kind that have results, in the order of the results. */
  List<CopyTest> tests(CopyTest.Kind kind) {
    return results.stream()
        .map(TransferResult::test)
        .filter(test -> test.kind() == kind)
        .distinct()
        .toList();
  }

  List<TransferResult> of(CopyTest test, Contender contender) {
    return results.stream()
        .filter(result -> result.test().equals(test) && result.contender() == contender)
        .toList();
  }

  /** Contenders with results of a test, in order. */
  List<Contender> contenders(CopyTest test) {
    return results.stream()
        .filter(result -> result.test().equals(test))
        .map(TransferResult::contender)
        .distinct()
        .sorted()
        .toList();
  }

  /** The contender's times; empty if one of its copies failed, or if there is none. */
  Optional<Sample> seconds(CopyTest test, Contender contender) {
    List<TransferResult> runs = of(test, contender);
    List<Double> seconds =
        runs.stream()
            .filter(run -> !run.isFailed())
            .map(TransferResult::seconds)
            .filter(Objects::nonNull)
            .toList();
    return seconds.isEmpty() || seconds.size() < runs.size()
        ? Optional.empty()
        : Optional.of(new Sample(seconds));
  }

  boolean isCutOff(CopyTest test, Contender contender) {
    return of(test, contender).stream().anyMatch(TransferResult::isCutOff);
  }

  /** The rate of {@code send} over that of another contender. */
  Optional<Estimate> over(CopyTest test, Contender other) {
    return seconds(test, Contender.SEND)
        .flatMap(ours -> seconds(test, other).map(theirs -> Estimate.ratio(theirs, ours)));
  }

  /** The fastest other program, without {@code tar | send}. */
  Optional<Contender> best(CopyTest test) {
    return contenders(test).stream()
        .filter(one -> one != Contender.SEND && one != Contender.TAR)
        .filter(one -> seconds(test, one).isPresent())
        .min(Comparator.comparingDouble(one -> seconds(test, one).orElseThrow().median()));
  }

  /**
   * Share of the file that was sent again after a kill: the bytes that left the client's host in
   * excess of a copy of the same file by the same program without a kill, over those of that copy.
   */
  Optional<Estimate> sentAgain(CopyTest cut, Contender contender) {
    OptionalDouble whole =
        of(CopyTest.file(cut.bytes()), contender).stream()
            .filter(run -> !run.isFailed() && !run.isCutOff())
            .mapToLong(TransferResult::sentBytes)
            .average();
    List<TransferResult> runs = of(cut, contender);
    if (whole.isEmpty()
        || runs.isEmpty()
        || runs.stream().anyMatch(run -> run.isFailed() || run.isCutOff())) {
      return Optional.empty();
    }
    return Optional.of(
        Estimate.of(
            new Sample(
                runs.stream().map(run -> run.sentBytes() / whole.getAsDouble() - 1).toList())));
  }

  /** The worst of a contender's copies; empty if none arrived. */
  Optional<Comparison> arrived(CopyTest test, Contender contender) {
    return of(test, contender).stream()
        .map(TransferResult::arrived)
        .filter(Objects::nonNull)
        .max(
            Comparator.comparingLong(
                    (Comparison one) -> one.missing() + one.more() + one.contents())
                .thenComparingLong(one -> one.modes() + one.fileTimes() + one.folderTimes())
                .thenComparingLong(Comparison::allocated));
  }
}
