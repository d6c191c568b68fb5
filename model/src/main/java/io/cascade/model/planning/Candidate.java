package io.cascade.model.planning;

import io.cascade.model.tcp.CongestionControl;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * One way to move the data, with its prediction.
 *
 * @param connections number of parallel connections, 1 except for {@link Kind#PARALLEL_DIRECT}
 * @param prediction empty if a link of the way was not measured
 * @param basis where the prediction comes from, or what is missing: "direct path not measured"
 */
public record Candidate(
    Kind kind,
    NodePath route,
    CongestionControl congestionControl,
    int connections,
    Optional<Prediction> prediction,
    String basis) {

  /** Kind of way. */
  public enum Kind {
    /** A way through relays. */
    CASCADE,
    /** The connection that would be made without Cascade. */
    DIRECT,
    /** Several direct connections that share the data: a rival, shown but not chosen. */
    PARALLEL_DIRECT,
    /** The direct connection with BBR, unless it uses BBR anyway: a rival, shown but not chosen. */
    DIRECT_BBR
  }

  /**
   * The candidate in a few words: {@code via a, b}, {@code via a, b, BBR from b on}, {@code 4
   * parallel direct connections}.
   */
  public String label() {
    return switch (kind) {
      case CASCADE -> "via " + String.join(", ", route.relays()) + changedControls();
      case DIRECT -> "direct";
      case PARALLEL_DIRECT -> connections + " parallel direct connections";
      case DIRECT_BBR -> "direct with bbr";
    };
  }

  /** The hops whose relays have to use another congestion control than their usual one. */
  private String changedControls() {
    List<HopPrediction> hops = prediction.map(Prediction::hops).orElse(List.of());
    int first = 0;
    while (first < hops.size() && !hops.get(first).isControlChanged()) {
      first++;
    }
    if (first == hops.size()) {
      return "";
    }
    HopPrediction begin = hops.get(first);
    boolean toTheEnd =
        hops.subList(first, hops.size()).stream()
            .allMatch(hop -> hop.isControlChanged() && hop.control() == begin.control());
    if (toTheEnd) {
      return ", " + begin.control() + " from " + begin.from() + " on";
    }
    return hops.stream()
        .filter(HopPrediction::isControlChanged)
        .map(hop -> ", " + hop.control() + " on " + hop.name())
        .collect(Collectors.joining());
  }

  /** Likely cost; infinite without a prediction, so that it ranks last. */
  double likelyCost() {
    return prediction.map(known -> known.cost().likely()).orElse(Double.POSITIVE_INFINITY);
  }

  /**
   * Cost by which ways are chosen: the mean. The way that looks fastest is likely one whose hops
   * look faster than they are.
   */
  double expectedCost() {
    return likelyCost() * prediction.map(Prediction::overestimate).orElse(1.0);
  }

  /** Effective price; infinite without a prediction. */
  double pricePerGibibyte() {
    return prediction.map(known -> known.price().perGibibyte()).orElse(Double.POSITIVE_INFINITY);
  }

  /** Whether its likely goodput reaches what the request requires, if it requires anything. */
  boolean reaches(RouteQuestion request) {
    double required = request.limits().leastBitsPerSecond().orElse(0) * (1 - 1e-9);
    return prediction
        .filter(Prediction::hasLikelyRate)
        .filter(known -> known.goodputBitsPerSecond().likely() >= required)
        .isPresent();
  }

  /** Whether there is a prediction with a likely rate. */
  boolean hasLikelyRate() {
    return prediction.filter(Prediction::hasLikelyRate).isPresent();
  }

  /** Whether there is a prediction whose likely rate may be shown. */
  boolean isEstimate() {
    return prediction.filter(Prediction::isEstimate).isPresent();
  }

  double firstByteSeconds() {
    return prediction.map(Prediction::firstByteSeconds).orElse(Double.POSITIVE_INFINITY);
  }
}
