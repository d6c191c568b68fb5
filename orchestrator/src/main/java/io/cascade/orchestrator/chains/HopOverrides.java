package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What single hops of a chain have otherwise than the chain. Hop i is the connection that relay i
 * makes, so that a route has as many as relays, and the last one leads to the destination.
 *
 * <p>The chain's plan may say what a hop is sent with; whoever opens the chain has the last word.
 *
 * <p>Whoever opens a chain is told of an override without its hop. A chain that is open is worth
 * more than its options: on another, shorter route they are left out.
 */
final class HopOverrides {
  private HopOverrides() {}

  /**
   * Looks at the request alone, before anything is planned.
   *
   * @throws Refusal naming the override and the fix
   */
  static void check(ChainRequest request) {
    Set<Integer> seen = new HashSet<>();
    for (HopOptions override : of(request.options())) {
      // Lists of a request may hold null, whatever the contract says.
      if (Objects.isNull(override)) {
        throw refused("null (expected: a hop and its options)");
      }
      if (!seen.add(override.hop())) {
        throw refused("hop " + override.hop() + " twice (expected: each hop at most once)");
      }
    }
    List<String> via = ChainQuestion.via(request);
    if (!via.isEmpty()) {
      check(request, via);
    }
  }

  /**
   * Looks at whether the route has what is overridden.
   *
   * @param relays of the route, in order
   * @throws Refusal naming the override and the fix
   */
  static void check(ChainRequest request, List<String> relays) {
    int last = relays.size() - 1;
    String end = relays.getLast() + " to the destination";
    for (HopOptions override : of(request.options())) {
      int hop = override.hop();
      if (hop > last) {
        throw refused(
            "hop %d of a route via %s (expected: 0 to %d, hop %d being from %s)"
                .formatted(hop, String.join(", ", relays), last, last, end));
      }
    }
  }

  /** The hops that are overridden and that a route of so many relays has not. */
  static List<Integer> without(ChainRequest request, int relays) {
    return of(request.options()).stream()
        .map(HopOptions::hop)
        .filter(hop -> hop >= relays)
        .sorted()
        .toList();
  }

  /** What the hop has otherwise; null where it is as the chain. */
  static @Nullable HopOptions at(@Nullable ChainOptions options, int hop) {
    return of(options).stream().filter(one -> one.hop() == hop).findFirst().orElse(null);
  }

  /**
   * What the hop sends with: what whoever opened the chain asked for, else what its plan has the
   * hop's sender use; null where that is each relay's own.
   */
  static @Nullable String congestionControl(Chain chain, int hop) {
    ChainOptions options = chain.request().options();
    HopOptions own = at(options, hop);
    if (own != null && own.congestionControl() != null) {
      return own.congestionControl();
    }
    return options != null && options.congestionControl() != null
        ? options.congestionControl()
        : planned(chain, hop);
  }

  /**
   * What the chain's plan has the hop's sender use instead of what it usually does; null where it
   * changes nothing, or where there is no plan.
   */
  static @Nullable String planned(Chain chain, int hop) {
    return ChainLearning.prediction(chain)
        .map(candidate -> candidate.hops().get(hop + 1))
        .filter(prediction -> prediction.usualCongestionControl() != null)
        .map(HopPrediction::congestionControl)
        .orElse(null);
  }

  private static List<HopOptions> of(@Nullable ChainOptions options) {
    return options == null || options.hops() == null ? List.of() : options.hops();
  }

  private static Refusal refused(String words) {
    return new Refusal(ProblemKind.INVALID_REQUEST, "options.hops: " + words);
  }
}
