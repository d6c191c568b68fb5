package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options by which single hops differ from their chain. A request counts the hops that relays make,
 * from 0; it is made before there is a route that they have addresses in.
 *
 * <p>The chain's plan may say what a hop is sent with; what the opener of the chain asks for goes
 * first.
 *
 * <p>To open a chain with an override for a hop that it lacks is refused. A chain that is open is
 * worth more than its options: on another, shorter route they are left out.
 */
final class HopOverrides {
  private HopOverrides() {}

  /** Whether a hop between relays is carried by coded sessions. */
  static boolean isCoded(Chain chain, RouteHops route, HopAddress hop) {
    ChainOptions options = chain.request().options();
    HopOptions own = at(options, route, hop);
    TransportChoice choice = own == null ? null : own.transport();
    if (choice == null && options != null) {
      choice = options.transport();
    }
    if (choice == null && own != null && shapesTcp(own)) {
      return false;
    }
    return switch (choice) {
      case null -> isPlannedCoded(chain, hop);
      case TCP -> false;
      case CODED -> true;
      case AUTO -> isPlannedCoded(chain, hop);
    };
  }

  /** A coded hop has a rate control of its own. */
  private static boolean shapesTcp(HopOptions own) {
    return own.congestionControl() != null || own.pacingBitsPerSecond() != null;
  }

  private static boolean isPlannedCoded(Chain chain, HopAddress hop) {
    return RoutePrediction.of(chain)
        .map(prediction -> prediction.hops().get(hop))
        .filter(prediction -> prediction.transport() == TransportChoice.CODED)
        .isPresent();
  }

  /**
   * Transport with which the plan of a chain is to reckon: a choice of its own where any hop leaves
   * it to the plan, TCP where the chain paces it and names nothing else.
   */
  static @Nullable TransportChoice toPlan(ChainRequest request) {
    ChainOptions options = request.options();
    boolean left =
        of(options).stream()
            .anyMatch(own -> Objects.nonNull(own) && own.transport() == TransportChoice.AUTO);
    if (left) {
      return TransportChoice.AUTO;
    }
    if (options == null) {
      return null;
    }
    boolean paced = options.transport() == null && options.pacingBitsPerSecond() != null;
    return paced ? TransportChoice.TCP : options.transport();
  }

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
      check(request, RelayPipes.of(request, via));
    }
  }

  /**
   * Looks at whether the route has what is overridden.
   *
   * @throws Refusal naming the override and the fix
   */
  static void check(ChainRequest request, RelayPipes relays) {
    List<RouteHop> hops = relays.route(false).leavingRelays();
    int last = hops.size() - 1;
    String end = hops.getLast().from() + " to the destination";
    for (HopOptions override : of(request.options())) {
      int hop = override.hop();
      if (hop > last) {
        throw refused(
            "hop %d of a route via %s (expected: 0 to %d, hop %d being from %s)"
                .formatted(hop, String.join(", ", relays.relays()), last, last, end));
      }
    }
  }

  /** The hops that are overridden and that the route has not. */
  static List<Integer> without(ChainRequest request, RouteHops route) {
    return of(request.options()).stream()
        .filter(override -> hop(override, route).isEmpty())
        .map(HopOptions::hop)
        .sorted()
        .toList();
  }

  /** Options in which the hop differs; null where it is as the chain. */
  static @Nullable HopOptions at(
      @Nullable ChainOptions options, RouteHops route, HopAddress address) {
    return of(options).stream()
        .filter(override ->
            hop(override, route).filter(hop -> hop.address().equals(address)).isPresent())
        .findFirst()
        .orElse(null);
  }

  /** The hop of the route that is meant; empty where it has fewer. */
  private static Optional<RouteHop> hop(HopOptions override, RouteHops route) {
    return route.leavingRelays().stream().skip(override.hop()).findFirst();
  }

  /**
   * Congestion control of the hop: the one that the chain's opener asked for, else the one that its
   * plan has the hop's sender use; null where that is each relay's own.
   */
  static @Nullable String congestionControl(Chain chain, RouteHops route, HopAddress hop) {
    ChainOptions options = chain.request().options();
    HopOptions own = at(options, route, hop);
    if (own != null && own.congestionControl() != null) {
      return own.congestionControl();
    }
    return options != null && options.congestionControl() != null
        ? options.congestionControl()
        : planned(chain, hop);
  }

  /**
   * Congestion control that the chain's plan has the hop's sender use instead of its usual one;
   * null where it changes nothing, or where there is no plan.
   */
  static @Nullable String planned(Chain chain, HopAddress hop) {
    return RoutePrediction.of(chain)
        .map(prediction -> prediction.hops().get(hop))
        .filter(prediction -> prediction.usualCongestionControl() != null)
        .map(HopPrediction::congestionControl)
        .orElse(null);
  }

  /**
   * Whether the chain's plan reckoned with the usual congestion control, and chose it. Where a hop
   * is predicted at no more than what was seen of its link, a plan cannot tell what the control
   * leaves unused: it had no choice.
   */
  static boolean keepsUsual(Chain chain, HopAddress hop) {
    return RoutePrediction.of(chain)
        .map(prediction -> prediction.hops().get(hop))
        .filter(prediction -> Double.isFinite(ChainLearning.uncorrected(prediction)))
        .isPresent();
  }

  private static List<HopOptions> of(@Nullable ChainOptions options) {
    return options == null || options.hops() == null ? List.of() : options.hops();
  }

  private static Refusal refused(String words) {
    return new Refusal(ProblemKind.INVALID_REQUEST, "options.hops: " + words);
  }
}
