package io.cascade.contract;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.tcp.CongestionControl;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans on a described network, as the orchestrator does on a measured one. */
public final class NetworkPlan {
  private NetworkPlan() {}

  /**
   * The plan from one node to another.
   *
   * @param from where the traffic starts
   * @param request with the node where it ends as its destination; of its source only the
   *     congestion control counts
   * @throws IllegalArgumentException naming the option and what is expected of it
   */
  public static Plan of(DescribedNetwork network, String from, PlanRequest request, Instant now) {
    String to = request.destination();
    List<String> via = Objects.requireNonNullElse(request.via(), List.of());
    List<String> avoid = Objects.requireNonNullElse(request.avoid(), List.of());
    network.require("--from", from);
    network.require("--to", to);
    via.forEach(node -> network.require("--via", node));
    avoid.forEach(node -> network.require("--avoid", node));
    Source source = request.source();
    io.cascade.model.planning.PlanRequest question =
        PlanQuestion.between(from, to, request)
            .congestionControl(
                control(
                    "--source-congestion-control",
                    source == null ? null : source.congestionControl()),
                control("--congestion-control", request.congestionControl()))
            .build();
    io.cascade.model.planning.Plan plan = new RoutePlanner().plan(network.topology(), question);
    Plan document =
        new PlanDocument(network.topology(), (_, _) -> false)
            .of(plan, to, request.bytes(), plan.why(), now);
    int paths = PlanQuestion.paths(request);
    return paths == 1
        ? document
        : MultipathDocument.with(
            document, paths, new MultipathPlanner().plan(network.topology(), question, paths));
  }

  private static CongestionControl control(String option, @Nullable String name) {
    if (name == null) {
      return CongestionControl.CUBIC;
    }
    return CongestionControl.named(name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                option + ": " + name + " (expected: reno, cubic, bbr or bbr3)"));
  }
}
