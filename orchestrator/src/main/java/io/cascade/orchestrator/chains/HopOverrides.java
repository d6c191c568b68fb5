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
 * Options in which single hops differ from their chain. A request numbers the hops that relays send
 * on, from 0, since it is made before there is a route with hop addresses.
 *
 * <p>The chain's plan may choose how a hop sends; the request of the chain takes precedence.
 *
 * <p>Opening a chain with an override for a hop that its route lacks is refused. For a chain that
 * is already open and moves to a shorter route, such overrides are left out instead.
 */
final class HopOverrides {
  private HopOverrides() {}

  /** Whether a hop between relays uses coded sessions. */
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

  /** Whether options apply to TCP only: a coded hop has its own rate control. */
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
   * Transport that the plan of a chain assumes: the plan's own choice if any hop leaves it to the
   * plan; TCP if the chain is paced and names no transport.
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
   * Checks the request alone, before anything is planned.
   *
   * @throws Refusal naming the override and the fix
   */
  static void check(ChainRequest request) {
    Set<Integer> seen = new HashSet<>();
    for (HopOptions override : of(request.options())) {
      // Lists of a request may hold null, although the contract does not allow it.
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
   * Checks that the route has the overridden hops.
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

  /** Numbers of the overridden hops that the route lacks. */
  static List<Integer> without(ChainRequest request, RouteHops route) {
    return of(request.options()).stream()
        .filter(override -> hop(override, route).isEmpty())
        .map(HopOptions::hop)
        .sorted()
        .toList();
  }

  /** Options in which the hop differs; null if it has none. */
  static @Nullable HopOptions at(
      @Nullable ChainOptions options, RouteHops route, HopAddress address) {
    return of(options).stream()
        .filter(override ->
            hop(override, route).filter(hop -> hop.address().equals(address)).isPresent())
        .findFirst()
        .orElse(null);
  }

  /** The hop of the route that an override is for; empty if the route has fewer hops. */
  private static Optional<RouteHop> hop(HopOptions override, RouteHops route) {
    return route.leavingRelays().stream().skip(override.hop()).findFirst();
  }

  /**
   * Congestion control of the hop: the one that the request names, otherwise the one that the plan
   * chose for the hop's sender; null for each relay's own.
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
   * Congestion control that the chain's plan chose for the hop's sender instead of the usual one;
   * null if it keeps the usual one, or if there is no plan.
   */
  static @Nullable String planned(Chain chain, HopAddress hop) {
    return RoutePrediction.of(chain)
        .map(prediction -> prediction.hops().get(hop))
        .filter(prediction -> prediction.usualCongestionControl() != null)
        .map(HopPrediction::congestionControl)
        .orElse(null);
  }

  /**
   * Whether the chain's plan compared congestion controls and chose the usual one. If a hop is
   * predicted at no more than its link's highest observed rate, the plan could not compare: what
   * another control would gain is unknown.
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
