package io.cascade.studies.bench;

import java.util.List;
import java.util.stream.Stream;

/**
 * Contenders that are measured side by side. The first is this project's; the others are compared
 * with it.
 *
 * @param heading prefix of the titles of its trials; may be empty
 */
record SideBySide(String heading, List<BenchContender> contenders, List<Trial> trials) {
  private static final List<String> HAPROXY = List.of("haproxy", "haproxy 1m", "haproxy splice");
  private static final List<String> PEERS =
      List.of("haproxy 1m", "haproxy splice", "C copy", "C splice");
  private static final double IDLE_KIB = 3;
  private static final double PAUSE_MILLIS = 2;
  private static final double START_SECONDS = 1;

  /**
   * Processor time that framing and retaining bytes for retransmission may take, as a factor of a
   * relay that only copies.
   */
  private static final double FRAMED_CPU = 1.3;

  String title(Trial trial) {
    return heading.isEmpty() ? trial.title() : heading + ": " + trial.title();
  }

  String own() {
    return contenders.getFirst().name();
  }

  /** Goals of this project's contender in a trial. */
  List<RelayGoal> goals(Trial trial) {
    boolean alone = heading.isEmpty();
    if (own().endsWith("framed")) {
      return trial instanceof Trial.Bulk
          ? List.of(goal(trial, Metric.RELAY_CPU, List.of("2 x cascade copy"), FRAMED_CPU))
          : List.of();
    }
    return switch (trial) {
      case Trial.Bulk _ ->
          alone
              ? List.of(
                  goal(trial, Metric.RELAY_CPU, HAPROXY, 1),
                  matching(trial, "copy"),
                  matching(trial, "splice"),
                  goal(trial, Metric.ALL_CPU, PEERS, 1),
                  goal(trial, Metric.THROUGHPUT, PEERS, 1),
                  goal(trial, Metric.LONGEST_PAUSE, List.of(), PAUSE_MILLIS))
              : List.of(
                  goal(trial, Metric.RELAY_CPU, others(), 1),
                  goal(trial, Metric.ALL_CPU, others(), 1));
      case Trial.Latency _, Trial.LatencyBesideBulk _ ->
          Stream.of(Metric.P50, Metric.P99, Metric.P999)
              .map(metric -> goal(trial, metric, alone ? HAPROXY : others(), 1))
              .toList();
      case Trial.Connections _ ->
          List.of(goal(trial, Metric.CONNECTIONS, alone ? HAPROXY : others(), 0.9));
      case Trial.Idle _ ->
          List.of(
              goal(trial, Metric.HEAP_PER_STREAM, List.of(), IDLE_KIB),
              goal(trial, Metric.PSS_PER_STREAM, List.of(), IDLE_KIB));
      case Trial.Start _ -> List.of(goal(trial, Metric.START, List.of(), START_SECONDS));
    };
  }

  /** Goal of a mode of this project's relay beside the C loop of the same mode. */
  private RelayGoal matching(Trial trial, String mode) {
    return new RelayGoal(
        title(trial), "cascade " + mode, Metric.RELAY_CPU, List.of("C " + mode), 1.1);
  }

  private RelayGoal goal(Trial trial, Metric metric, List<String> rivals, double limit) {
    return new RelayGoal(title(trial), own(), metric, rivals, limit);
  }

  /** Contenders that are not this project's. */
  private List<String> others() {
    return contenders.stream()
        .map(BenchContender::name)
        .filter(name -> !name.contains("cascade"))
        .toList();
  }
}
