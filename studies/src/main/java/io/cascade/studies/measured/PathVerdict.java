package io.cascade.studies.measured;

import io.cascade.api.orchestrator.Decision;
import io.cascade.studies.measured.PathResult.Planned;
import io.cascade.studies.measured.PathResult.Prediction;
import io.cascade.studies.measured.PathResult.Transfer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.hipparchus.distribution.continuous.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Judgement of {@code send} on a path beside the fixed ways. Durations of repetitions are averaged
 * as logarithms; failed transfers are left out and counted.
 *
 * @param moving the part of {@code seconds} in which the file was transferred
 * @param best the fastest fixed way
 * @param seconds that a user waited, by way, from the start of the verb
 * @param ofBest the rate of {@code send} over that of the best fixed way
 * @param ofOpen the same with open chains: the times of fixed ways without the opening of their
 *     chains
 * @param ofDirect the rate of {@code send} over the direct one
 * @param gain the rate of the best fixed way over the direct one
 * @param spread factor by which {@code ofBest} and {@code ofDirect} may be off at 95 %, by
 *     Student's t with the variance of logarithms within all ways of the path; NaN if no way was
 *     repeated
 * @param failedSends transfers over {@code send}'s own choice that failed
 * @param forecasts predicted intervals beside the measured times
 */
record PathVerdict(
    PathResult result,
    Map<String, Double> seconds,
    Map<String, Double> moving,
    String best,
    double ofBest,
    double ofOpen,
    double ofDirect,
    double gain,
    double spread,
    long failedSends,
    List<Forecast> forecasts) {
  static final double GOOD = 0.9;
  static final double WORSE_THAN_DIRECT = 0.95;

  /** A difference below a tenth decides neither for nor against relays. */
  private static final double WRONG = 1.1;

  private static final double CONFIDENCE = 0.95;

  /** Copies the collections. */
  PathVerdict {
    seconds = Map.copyOf(seconds);
    moving = Map.copyOf(moving);
    forecasts = List.copyOf(forecasts);
  }

  /**
   * A prediction beside the measured time.
   *
   * @param high null if no measurement bounds the time from above
   * @param measured mean of all repetitions
   */
  record Forecast(
      String way, double low, @Nullable Double likely, @Nullable Double high, double measured) {
    boolean holds() {
      return measured >= low && (high == null || measured <= high);
    }

    static Proportion covered(List<Forecast> some) {
      return new Proportion(some.stream().filter(Forecast::holds).count(), some.size());
    }

    /** Whether the interval has bounds on both sides. */
    boolean closed() {
      return high != null;
    }
  }

  /**
   * @throws IllegalArgumentException if neither {@code send} nor a fixed way succeeded
   */
  static PathVerdict of(PathResult result) {
    Map<String, List<Double>> logs = logs(result, Transfer::waitedSeconds);
    Map<String, Double> seconds = means(logs);
    Map<String, Double> moving = means(logs(result, Transfer::seconds));
    String best =
        best(seconds)
            .orElseThrow(() -> new IllegalArgumentException("no transfer over a fixed way"));
    double quickest = moving.getOrDefault(best(moving).orElse(best), Double.NaN);
    // A send that never succeeded has the rate 0; a direct way that failed is worse than all
    // others.
    double sent = seconds.getOrDefault(PathResult.OWN_CHOICE, Double.POSITIVE_INFINITY);
    double direct = seconds.getOrDefault(Way.DIRECT.name(), Double.POSITIVE_INFINITY);
    double fixed = seconds.getOrDefault(best, Double.NaN);
    return new PathVerdict(
        result,
        seconds,
        moving,
        best,
        fixed / sent,
        quickest / sent,
        Double.isInfinite(sent) ? 0 : direct / sent,
        direct / fixed,
        spread(logs.values().stream().toList(), result.repetitions()),
        result.transfers().stream()
            .filter(transfer -> transfer.way().equals(PathResult.OWN_CHOICE))
            .filter(transfer -> transfer.failure() != null)
            .count(),
        forecasts(result.plan(), moving));
  }

  private static Map<String, List<Double>> logs(
      PathResult result, Function<Transfer, @Nullable Double> duration) {
    Map<String, List<Double>> logs = new LinkedHashMap<>();
    for (Transfer transfer : result.transfers()) {
      Double seconds = duration.apply(transfer);
      if (seconds != null) {
        logs.computeIfAbsent(transfer.way(), _ -> new ArrayList<>()).add(Math.log(seconds));
      }
    }
    return logs;
  }

  private static Map<String, Double> means(Map<String, List<Double>> logs) {
    Map<String, Double> means = new LinkedHashMap<>();
    logs.forEach((way, values) -> means.put(way, Math.exp(mean(values))));
    return means;
  }

  /** The fastest fixed way. */
  private static Optional<String> best(Map<String, Double> seconds) {
    return seconds.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(PathResult.OWN_CHOICE))
        .min(Comparator.comparingDouble(Map.Entry::getValue))
        .map(Map.Entry::getKey);
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }

  private static double spread(List<List<Double>> ways, int repetitions) {
    double squares = 0;
    int degrees = 0;
    for (List<Double> values : ways) {
      double mean = mean(values);
      squares += values.stream().mapToDouble(value -> (value - mean) * (value - mean)).sum();
      degrees += values.size() - 1;
    }
    if (degrees == 0) {
      return Double.NaN;
    }
    double quantile = new TDistribution(degrees).inverseCumulativeProbability((1 + CONFIDENCE) / 2);
    return Math.exp(quantile * Math.sqrt(squares / degrees * 2 / repetitions));
  }

  private static List<Forecast> forecasts(@Nullable Planned plan, Map<String, Double> seconds) {
    if (plan == null) {
      return List.of();
    }
    List<Forecast> forecasts = new ArrayList<>();
    for (Prediction prediction : plan.predictions()) {
      Double measured = seconds.get(prediction.way());
      if (measured != null && prediction.secondsLow() != null) {
        forecasts.add(
            new Forecast(
                prediction.way(),
                prediction.secondsLow(),
                prediction.seconds(),
                prediction.secondsHigh(),
                measured));
      }
    }
    return forecasts;
  }

  boolean isGood() {
    return failedSends == 0 && ofBest >= GOOD;
  }

  boolean isWorseThanDirect() {
    return failedSends > 0 || ofDirect < WORSE_THAN_DIRECT;
  }

  /** Whether the path is good even compared with chains that were open already. */
  boolean isGoodBesideOpenChains() {
    return failedSends == 0 && ofOpen >= GOOD;
  }

  /** Whether the miss exceeds what chance explains. */
  boolean isSurelyNotGood() {
    return failedSends > 0 || ofBest * spread < GOOD;
  }

  /** Whether being worse than direct exceeds what chance explains. */
  boolean isSurelyWorseThanDirect() {
    return failedSends > 0 || ofDirect * spread < WORSE_THAN_DIRECT;
  }

  /** Whether the plan decided for a way that took over 10 % longer than the other. */
  boolean isWronglyDecided() {
    return decision()
        .filter(decision ->
            switch (decision) {
              case CASCADE -> WRONG * time(Way.DIRECT) < plannedTime();
              case DIRECT, EQUAL -> WRONG * bestOfRelays() < time(Way.DIRECT);
              case UNDECIDED -> false;
            })
        .isPresent();
  }

  /** Measured time of the planned cascade; NaN if no measured way corresponds to the plan. */
  private double plannedTime() {
    Planned plan = result.plan();
    return plan == null
        ? Double.NaN
        : plan.prediction(new Way(plan.relays()).name())
            .map(known -> moving.getOrDefault(known.way(), Double.NaN))
            .orElse(Double.NaN);
  }

  /** Time of the transfer alone: a plan predicts the rate of a way, not the time to open it. */
  private double time(Way way) {
    return moving.getOrDefault(way.name(), Double.NaN);
  }

  private double bestOfRelays() {
    return moving.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(PathResult.OWN_CHOICE))
        .filter(entry -> !entry.getKey().equals(Way.DIRECT.name()))
        .mapToDouble(Map.Entry::getValue)
        .min()
        .orElse(Double.NaN);
  }

  Optional<Decision> decision() {
    return Optional.ofNullable(result.plan()).map(Planned::decision);
  }

  List<Transfer> sends() {
    return result.transfers().stream()
        .filter(transfer -> transfer.way().equals(PathResult.OWN_CHOICE))
        .toList();
  }
}
