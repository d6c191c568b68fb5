package io.cascade.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** How long faults lasted, for people: nothing of it is asserted. */
final class FailoverTimes {
  private static final double NANOS = 1e9;

  /** Seconds after which an orchestrator is to lead: the seat is lost after 10. */
  private static final double GOAL = 15;

  private final Map<String, List<Round>> rounds = new LinkedHashMap<>();

  /**
   * @param led seconds until an orchestrator led
   * @param whole seconds until it had heard of all relays and chains, and all relays answered it
   * @param called seconds that the first call then took of a client that knew the former leader
   */
  private record Round(double led, double whole, double called) {}

  /** Takes what came of a fault, by the monotonic clock. */
  synchronized void add(
      String fault, long beganNanos, long ledNanos, long wholeNanos, long calledNanos) {
    rounds
        .computeIfAbsent(fault, _ -> new ArrayList<>())
        .add(
            new Round(
                (ledNanos - beganNanos) / NANOS,
                (wholeNanos - beganNanos) / NANOS,
                (calledNanos - wholeNanos) / NANOS));
  }

  /** A table in Markdown, of median and longest seconds. */
  synchronized String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        "| fault | rounds | one leads after, s | goal: %.0f s at most | all is whole after, s | first call takes, s |%n"
            .formatted(GOAL));
    table.append("|---|---|---|---|---|---|\n");
    rounds.forEach((fault, all) ->
        table.append(
            "| %s | %d | %s | %s | %s | %s |%n"
                .formatted(
                    fault,
                    all.size(),
                    seconds(all, Round::led),
                    all.stream().allMatch(round -> round.led() <= GOAL) ? "holds" : "does not hold",
                    seconds(all, Round::whole),
                    seconds(all, Round::called))));
    return table.toString();
  }

  private static String seconds(List<Round> all, ToDoubleFunction<Round> of) {
    double[] sorted = all.stream().mapToDouble(of).sorted().toArray();
    return String.format(
        Locale.ROOT, "%.1f, longest %.1f", median(sorted), sorted[sorted.length - 1]);
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
