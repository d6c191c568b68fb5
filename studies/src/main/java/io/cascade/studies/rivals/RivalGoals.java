package io.cascade.studies.rivals;

import io.cascade.studies.report.Estimate;
import io.cascade.studies.report.Sample;
import io.cascade.studies.study.Finding;
import io.cascade.studies.study.Goal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Goals of {@code send} with their measured values. A path counts against a goal only if its whole
 * interval misses the goal.
 */
final class RivalGoals {
  private static final double OF_BEST = 0.95;
  private static final double OF_BEST_ON = 0.95;
  private static final double OF_BEST_NEVER_BELOW = 0.85;
  private static final double OF_BOUND = 0.90;
  private static final double OF_BOUND_ON = 0.90;
  private static final double OF_BOUND_SECONDS = 10;
  private static final double BEYOND_START_SECONDS = 0.030;
  private static final double PROCESS_SECONDS = 0.4;
  private static final long DEMO_BYTES = 20_000_000;
  private static final double WITHOUT_UDP_SECONDS = 3;
  private static final long SMALL_BYTES = 2_000_000;

  private final List<RivalFindings> paths;

  RivalGoals(List<RivalFindings> paths) {
    this.paths = List.copyOf(paths);
  }

  /** Value of a path with its finding for a goal. */
  private record Held(String path, double value, Finding finding) {}

  /** Goals for which there are measurements. */
  List<Goal> rows() {
    List<Goal> rows = new ArrayList<>();
    of(
            "rate over the best rival",
            "≥ 0.95 on 95 % of paths",
            OF_BEST_ON,
            _ -> true,
            path -> path.overBest(),
            value -> value.atLeast(OF_BEST))
        .ifPresent(rows::add);
    of(
            "the same, on every path",
            "≥ 0.85",
            1,
            _ -> true,
            path -> path.overBest(),
            value -> value.atLeast(OF_BEST_NEVER_BELOW))
        .ifPresent(rows::add);
    of(
            "share of the bound, paths whose bound is 10 s or longer",
            "≥ 0.90 on 90 % of paths",
            OF_BOUND_ON,
            path -> path.boundSeconds() >= OF_BOUND_SECONDS && !path.isMachineBound(),
            path -> path.ofBound(Competitor.SEND),
            value -> value.atLeast(OF_BOUND))
        .ifPresent(rows::add);
    demo(DEMO_BYTES, 2.6).ifPresent(rows::add);
    demo(10_000_000, 1.7).ifPresent(rows::add);
    of(
            "files up to 2 MB: seconds above those of a process start and one plain connection",
            "≤ 0.030",
            1,
            path -> path.path().bytes() <= SMALL_BYTES,
            RivalFindings::beyondStart,
            value -> value.atMost(BEYOND_START_SECONDS))
        .ifPresent(rows::add);
    of(
            "a process that only prints its help: seconds from start to end",
            "≤ 0.4",
            1,
            path -> !path.result().startSeconds().isEmpty(),
            path -> Optional.of(Estimate.of(new Sample(path.result().startSeconds()))),
            value -> value.atMost(PROCESS_SECONDS))
        .ifPresent(rows::add);
    withoutUdp("UDP blocked", RivalPath.demoWithoutUdp(DEMO_BYTES)).ifPresent(rows::add);
    withoutUdp("UDP policed to 1 Mbit/s", RivalPath.demoWithLittleUdp(DEMO_BYTES))
        .ifPresent(rows::add);
    return rows;
  }

  /**
   * Goal for a path that filters UDP, which may cost the time until {@code send} detects the
   * filter.
   */
  private Optional<Goal> withoutUdp(String filter, RivalPath filtered) {
    RivalPath free = RivalPath.demo(DEMO_BYTES);
    return of(
        "the demo's path, 20 MB, %s: seconds above those with UDP".formatted(filter),
        "≤ 3",
        1,
        path -> path.path().equals(filtered),
        path ->
            path.seconds(Competitor.SEND)
                .flatMap(seconds ->
                    paths.stream()
                        .filter(other -> other.path().equals(free))
                        .findFirst()
                        .flatMap(other -> other.seconds(Competitor.SEND))
                        .map(other -> Estimate.difference(seconds, other))),
        value -> value.atMost(WITHOUT_UDP_SECONDS));
  }

  private Optional<Goal> demo(long bytes, double goalSeconds) {
    RivalPath demo = RivalPath.demo(bytes);
    return of(
        "the demo's path, %.0f MB: seconds".formatted(bytes / 1e6),
        String.format(Locale.ROOT, "≤ %.1f", goalSeconds),
        1,
        path -> path.path().equals(demo),
        path -> path.seconds(Competitor.SEND).map(Estimate::of),
        value -> value.atMost(goalSeconds));
  }

  /**
   * @param on share of the paths that have to reach the goal
   */
  private Optional<Goal> of(
      String what,
      String goal,
      double on,
      Predicate<RivalFindings> counts,
      Function<RivalFindings, Optional<Estimate>> measured,
      Function<Estimate, Finding> verdict) {
    List<RivalFindings> counted =
        paths.stream().filter(path -> path.result().failure() == null).filter(counts).toList();
    List<Held> held =
        counted.stream()
            .flatMap(path ->
                measured
                    .apply(path)
                    .map(value -> new Held(path.path().name(), value.value(), verdict.apply(value)))
                    .or(() -> failed(path))
                    .stream())
            .sorted(Comparator.comparing(Held::finding).reversed())
            .toList();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Goal(
            what,
            goal,
            words(held),
            Finding.of(count(held, Finding.MET), count(held, Finding.MISSED), held.size(), on)));
  }

  /** A finding of "missed" for a path on which {@code send} failed. */
  private static Optional<Held> failed(RivalFindings path) {
    return path.seconds(Competitor.SEND).isPresent()
        ? Optional.empty()
        : Optional.of(new Held(path.path().name(), Double.NaN, Finding.MISSED));
  }

  private static long count(List<Held> held, Finding finding) {
    return held.stream().filter(one -> one.finding() == finding).count();
  }

  private static String words(List<Held> held) {
    double[] values = held.stream().mapToDouble(Held::value).sorted().toArray();
    String spread =
        values.length == 1
            ? String.format(Locale.ROOT, "%.3f", values[0])
            : String.format(
                Locale.ROOT,
                "%d of %d paths, %d open; median %.3f, %.3f to %.3f",
                count(held, Finding.MET),
                held.size(),
                count(held, Finding.OPEN),
                Sample.median(values),
                values[0],
                values[values.length - 1]);
    List<String> missed =
        held.stream().filter(one -> one.finding() == Finding.MISSED).map(Held::path).toList();
    return missed.isEmpty() || held.size() == 1
        ? spread
        : spread + "; missed on " + String.join(", ", missed);
  }
}
