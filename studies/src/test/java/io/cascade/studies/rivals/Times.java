package io.cascade.studies.rivals;

import io.cascade.studies.rivals.RivalResult.Run;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds results of a path from times. */
final class Times {
  private final RivalPath path;
  private final Map<Competitor, List<Run>> runs = new LinkedHashMap<>();
  private final List<Double> starts = new ArrayList<>();

  private Times(RivalPath path) {
    this.path = path;
  }

  static Times of(RivalPath path) {
    return new Times(path);
  }

  Times of(Competitor contender, double... seconds) {
    return runs(contender, false, 0.3, seconds);
  }

  Times cutOff(Competitor contender, double... seconds) {
    return runs(contender, true, 0.3, seconds);
  }

  Times busy(Competitor contender, double... seconds) {
    return runs(contender, false, 0.95, seconds);
  }

  private Times runs(Competitor contender, boolean isCutOff, double busy, double... seconds) {
    Arrays.stream(seconds)
        .mapToObj(one -> new Run(contender, 0, one, isCutOff, busy, 1, ""))
        .forEach(runs.computeIfAbsent(contender, _ -> new ArrayList<>())::add);
    return this;
  }

  Times failed(Competitor contender, String why) {
    runs.computeIfAbsent(contender, _ -> new ArrayList<>())
        .add(new Run(contender, 0, null, false, 0.3, 1, why));
    return this;
  }

  Times start(double... seconds) {
    Arrays.stream(seconds).forEach(starts::add);
    return this;
  }

  RivalResult result() {
    return new RivalResult(
        path,
        3,
        List.copyOf(runs.keySet()),
        starts,
        runs.values().stream().flatMap(List::stream).toList(),
        null);
  }

  RivalFindings findings() {
    return new RivalFindings(result());
  }
}
