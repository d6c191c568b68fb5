package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.contract.MultipathDocument;
import io.cascade.contract.PlanDocument;
import io.cascade.contract.PlanQuestion;
import io.cascade.model.multipath.MultipathPlan;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Plans the parallel pipes of a segment between two given relays. */
@Component
public class PipePlanner {
  /** Most relays of a route, unless the request says otherwise. */
  private static final int MOST_RELAYS = 4;

  private final RelayRegistry relays;
  private final NetworkEvidence evidence;
  private final PlanInputCollector collector;
  private final Timekeeper time;
  private final RoutePlanner model = new RoutePlanner();

  PipePlanner(
      RelayRegistry relays,
      NetworkEvidence evidence,
      PlanInputCollector collector,
      Timekeeper time) {
    this.relays = relays;
    this.evidence = evidence;
    this.collector = collector;
    this.time = time;
  }

  /**
   * The routes of the pipes between two relays.
   *
   * @param most number of pipes
   * @param request request of the chain; relays that it requires are ignored
   * @param chain the plan that chose the two relays; null if they were named
   * @throws Refusal if no route joins them
   */
  public PlannedPipes plan(
      String first, String last, int most, PlanRequest request, @Nullable Plan chain) {
    PlanRequest free = request.toBuilder().via(null).build();
    PlanInputs inputs = collector.collectBetweenRelays(new PlanCall(free, true, null, false));
    List<String> notes = new ArrayList<>();
    CongestionChoices controls = CongestionChoices.of(free, inputs.relays().byName(), notes);
    MeasuredNetwork network =
        NetworkAssembly.assemble(
            evidence, inputs, free.capacityBitsPerSecond(), time.steady(), notes);
    CongestionControl direct = CongestionChoices.ofSource(null, relays.known(first), notes);
    int between = Math.max(1, Objects.requireNonNullElse(free.maxRelays(), MOST_RELAYS) - 2);
    Set<String> avoid = new HashSet<>(Objects.requireNonNullElse(free.avoid(), List.of()));
    avoid.addAll(List.of(SOURCE, DESTINATION));
    Supplier<RouteQuestion.Builder> question =
        () -> {
          var builder =
              PlanQuestion.between(first, last, free)
                  .maxRelays(between)
                  .congestionControl(direct, CongestionControl.CUBIC);
          controls.addTo(builder);
          return builder;
        };
    PipeRoutes.Chosen chosen =
        new PipeRoutes(network.topology(), first, last, question, avoid).choose(most);
    if (chosen.pipes().isEmpty()) {
      throw new Refusal(
          ProblemKind.NO_ROUTE,
          "routes: no measured route leads from "
              + first
              + " to "
              + last
              + " (fix: name the pipes with pipes, or let the relays measure each other first)");
    }
    Plan document = chain == null ? segment(network, question, avoid, free, notes) : chain;
    return new PlannedPipes(
        chosen.pipes(),
        chosen.together().map(MultipathPlan::bitsPerSecond).orElse(0.0),
        MultipathDocument.ofPipes(document, first, last, chosen.together(), chosen.notes()));
  }

  /** The plan of one route between the two ends of a segment. */
  private Plan segment(
      MeasuredNetwork network,
      Supplier<RouteQuestion.Builder> question,
      Set<String> avoid,
      PlanRequest request,
      List<String> notes) {
    return new PlanDocument(network.topology(), network::isAssumed)
        .of(
            model.plan(network.topology(), Planner.built(question.get().avoid(avoid))),
            request.destination(),
            request.bytes(),
            notes,
            time.now(),
            null);
  }
}
