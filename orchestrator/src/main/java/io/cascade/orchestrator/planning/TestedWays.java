package io.cascade.orchestrator.planning;

import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.PlanObjective;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.HopPrediction;
import io.cascade.model.planning.Prediction;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.relays.RegisteredRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The direct way and the best cascade of a plan, as relays at both ends can test them. A test over
 * the cascade is sent like a stream: the sending relay connects to the ingress of a chain, whose
 * last relay connects to the receiving one.
 *
 * @param from relay that sends
 * @param relays relays of the cascade, without those at the ends of the traffic
 * @param to relay that receives
 * @param directControl congestion control of the sender on the direct way; null for its own
 * @param firstControl congestion control of the sender to the first relay; null for its own
 * @param options of the chain
 */
record TestedWays(
    String from,
    List<String> relays,
    String to,
    @Nullable String directControl,
    @Nullable String firstControl,
    ChainOptions options) {

  TestedWays {
    relays = List.copyOf(relays);
  }

  /**
   * Result of the search for the ways to test.
   *
   * @param ways null if relays cannot test them
   * @param obstacle the reason; empty if they can
   */
  record Found(@Nullable TestedWays ways, String obstacle) {
    private static Found none(String obstacle) {
      return new Found(null, obstacle);
    }

    Optional<TestedWays> optional() {
      return Optional.ofNullable(ways);
    }
  }

  /**
   * Finds the ways to test to decide a plan.
   *
   * @param relays that are up, by name
   */
  static Found of(
      RouteAnswer plan,
      PlanInputs inputs,
      PlanRequest request,
      Map<String, RegisteredRelay> relays) {
    if (plan.decision() != Decision.UNDECIDED) {
      return Found.none("the plan is decided");
    }
    return of(plan, plan.bestCascade().orElseThrow(), inputs, request, relays);
  }

  /**
   * Finds the ways to test to compare one cascade of a plan with its direct way.
   *
   * @param relays that are up, by name
   */
  static Found of(
      RouteAnswer plan,
      Candidate cascade,
      PlanInputs inputs,
      PlanRequest request,
      Map<String, RegisteredRelay> relays) {
    if (request.objective() == PlanObjective.PRICE) {
      return Found.none("the open question is a rate at a price, not which way is faster");
    }
    RegisteredRelay from = relays.get(start(cascade, inputs, relays));
    RegisteredRelay to = inputs.atDestination() == null ? null : relays.get(inputs.atDestination());
    if (to == null) {
      return Found.none(
          "no relay is at the destination, and only relays take these tests; send uses both ways at"
              + " once and compares them");
    }
    if (from == null) {
      return Found.none(
          "no relay is at the site where the traffic starts; send uses both ways at once and"
              + " compares them");
    }
    return new Search(cascade, from, to, relays).found(plan, request);
  }

  /** Whether the other ways use the same relays, with any congestion controls. */
  boolean isThroughTheSameRelaysAs(TestedWays other) {
    return from.equals(other.from)
        && relays.equals(other.relays)
        && to.equals(other.to)
        && Objects.equals(directControl, other.directControl);
  }

  /** The relay at the start of the traffic; empty if there is none. */
  private static String start(
      Candidate cascade, PlanInputs inputs, Map<String, RegisteredRelay> relays) {
    if (inputs.site() != null) {
      return inputs.site().name();
    }
    if (!inputs.sourceIsKnown()) {
      return cascade.route().relays().getFirst(); // the plan assumes the source to be beside it
    }
    List<String> there =
        relays.values().stream()
            .filter(relay -> relay.hop().host().equals(inputs.client()))
            .map(RegisteredRelay::name)
            .toList();
    return there.size() == 1 ? there.getFirst() : "";
  }

  /** The search for the ways to test one cascade. */
  private static final class Search {
    private final RegisteredRelay from;
    private final RegisteredRelay to;
    private final Map<String, RegisteredRelay> relays;
    private final List<HopPrediction> hops;
    private final List<String> between;

    Search(
        Candidate cascade,
        RegisteredRelay from,
        RegisteredRelay to,
        Map<String, RegisteredRelay> relays) {
      this.from = from;
      this.to = to;
      this.relays = relays;
      this.hops = cascade.prediction().map(Prediction::hops).orElse(List.of());
      this.between = new ArrayList<>(cascade.route().relays());
      if (between.getFirst().equals(from.name())) {
        between.removeFirst();
      }
      if (!between.isEmpty() && between.getLast().equals(to.name())) {
        between.removeLast();
      }
    }

    Found found(RouteAnswer plan, PlanRequest request) {
      if (between.isEmpty()
          || from.name().equals(to.name())
          || between.contains(from.name())
          || between.contains(to.name())) {
        return Found.none(
            "the cascade has no relays but those at both ends, so a test over it tests the direct"
                + " way");
      }
      List<HopOptions> changed = new ArrayList<>();
      for (HopPrediction hop : hops) {
        boolean coded = hop.control() == CongestionControl.CODED;
        int number = between.indexOf(hop.from());
        if (coded && (number < 0 || number + 1 >= between.size())) {
          return Found.none("the hop " + hop.name() + " is coded, and tests are sent over TCP");
        }
        String control = coded ? null : name(relays.get(hop.from()), hop.control());
        if (number >= 0 && hop.isControlChanged() && (coded || control != null)) {
          changed.add(
              HopOptions.builder()
                  .hop(number)
                  .congestionControl(control)
                  .transport(coded ? TransportChoice.CODED : null)
                  .build());
        }
      }
      String direct =
          plan.candidate(Candidate.Kind.DIRECT)
              .map(way -> name(from, way.congestionControl()))
              .orElse(null);
      return new Found(
          new TestedWays(
              from.name(),
              between,
              to.name(),
              direct,
              hops.stream()
                  .filter(hop -> hop.from().equals(from.name()) && hop.isControlChanged())
                  .findFirst()
                  .map(hop -> name(from, hop.control()))
                  .orElse(direct),
              ChainOptions.builder()
                  .congestionControl(request.congestionControl())
                  .hops(changed.isEmpty() ? null : changed)
                  .build()),
          "");
    }

    /** The relay's name for a control; null, its own control, if it does not offer that one. */
    private static @Nullable String name(
        @Nullable RegisteredRelay relay, CongestionControl control) {
      return relay == null ? null : relay.offered(control).orElse(null);
    }
  }
}
