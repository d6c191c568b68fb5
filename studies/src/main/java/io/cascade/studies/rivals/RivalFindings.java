package io.cascade.studies.rivals;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.report.Sample;
import io.cascade.studies.rivals.RivalResult.Run;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Results of a path. */
record RivalFindings(RivalResult result) {
  /** Share of busy processors from which on the machine may have been slower than the link. */
  private static final double BUSY = 0.9;

  RivalPath path() {
    return result.path();
  }

  double boundSeconds() {
    return Bound.seconds(path());
  }

  List<Run> runs(Competitor contender) {
    return result.runs().stream().filter(run -> run.contender() == contender).toList();
  }

  /** The contender's times; empty if one of its runs failed, or if there is none. */
  Optional<Sample> seconds(Competitor contender) {
    List<Run> runs = runs(contender);
    List<Double> seconds = runs.stream().map(Run::seconds).filter(Objects::nonNull).toList();
    return seconds.isEmpty() || seconds.size() < runs.size()
        ? Optional.empty()
        : Optional.of(new Sample(seconds));
  }

  /**
   * Whether so many of the contender's runs were stopped before their end that its median is a
   * lower bound. With fewer such runs the median is exact, because a stopped run is slower than the
   * median.
   */
  boolean isCutOff(Competitor contender) {
    List<Run> runs = runs(contender);
    return 2 * runs.stream().filter(Run::isCutOff).count() >= Math.max(1, runs.size());
  }

  /** The rival with the least median. */
  Optional<Competitor> best() {
    return result.contenders().stream()
        .filter(contender -> contender != Competitor.SEND && seconds(contender).isPresent())
        .min(Comparator.comparingDouble(contender -> median(contender)));
  }

  /** Median of the contender's times; NaN if it has none. */
  double median(Competitor contender) {
    return seconds(contender).map(Sample::median).orElse(Double.NaN);
  }

  /** The rate of {@code send} over that of a rival; empty if both were stopped before their end. */
  Optional<Estimate> over(Competitor rival) {
    if (isCutOff(Competitor.SEND) && isCutOff(rival)) {
      return Optional.empty();
    }
    return seconds(Competitor.SEND)
        .flatMap(ours -> seconds(rival).map(theirs -> Estimate.ratio(theirs, ours)));
  }

  /** The rate of {@code send} over that of the best rival. */
  Optional<Estimate> overBest() {
    return best().flatMap(this::over);
  }

  /** The bound's time over a contender's. */
  Optional<Estimate> ofBound(Competitor contender) {
    return seconds(contender)
        .map(sample ->
            Estimate.of(
                    new Sample(
                        sample.values().stream().map(seconds -> boundSeconds() / seconds).toList()))
                .notBelowZero());
  }

  /** Seconds of {@code send} above those of its process start and of one plain connection. */
  Optional<Estimate> beyondStart() {
    return result.startSeconds().isEmpty()
        ? Optional.empty()
        : seconds(Competitor.SEND)
            .flatMap(ours ->
                seconds(Competitor.TCP)
                    .map(plain ->
                        Estimate.difference(ours, new Sample(result.startSeconds()), plain)));
  }

  /** Highest utilisation of the machine's processors in a run of {@code send}, 0 to 1. */
  double busy() {
    return runs(Competitor.SEND).stream().mapToDouble(Run::busy).max().orElse(0);
  }

  /** Whether the processors may have limited the transfer. */
  boolean isMachineBound() {
    return busy() >= BUSY;
  }

  /** Describes the path's results in a line. */
  String words() {
    if (result.failure() != null) {
      return result.failure();
    }
    Optional<Estimate> share = ofBound(Competitor.SEND);
    if (share.isEmpty()) {
      return "send failed: "
          + runs(Competitor.SEND).stream()
              .filter(run -> run.seconds() == null)
              .map(Run::note)
              .findFirst()
              .orElse("no run");
    }
    return String.format(
        Locale.ROOT,
        "send %s%.2f s, %.2f of the bound%s%s",
        isCutOff(Competitor.SEND) ? "over " : "",
        median(Competitor.SEND),
        share.get().value(),
        best()
            .flatMap(best ->
                over(best)
                    .map(ratio ->
                        String.format(
                            Locale.ROOT,
                            ", %.2f times the rate of %s (%.2f s)",
                            ratio.value(),
                            best.title(),
                            median(best))))
            .orElse(""),
        isMachineBound() ? ", processors busy" : "");
  }
}
