package io.cascade.contract;

import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
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
   * @param request its destination is the node where the traffic ends; of its source only the
   *     congestion control is used
   * @throws IllegalArgumentException naming the option and what is expected
   */
  public static Plan of(DescribedNetwork network, String from, PlanRequest request, Instant now) {
    String to = request.destination();
    List<String> via = Objects.requireNonNullElse(request.via(), List.of());
    List<String> avoid = Objects.requireNonNullElse(request.avoid(), List.of());
    network.require("--from", from);
    network.require("--to", to);
    via.forEach(node -> network.require("--via", node));
    avoid.forEach(node -> network.require("--avoid", node));
    CongestionControl direct = directControl(network, from, request.source());
    RouteQuestion.Builder builder =
        PlanQuestion.between(from, to, request).congestionControl(direct, hops(request));
    if (request.congestionControl() == null) {
      network.controls().forEach(builder::senderControl);
    }
    network.topology().nodes().stream()
        .filter(node -> !node.equals(from))
        .forEach(node ->
            builder.offer(node, PlanQuestion.controls(request, network.offers().get(node))));
    RouteQuestion question = builder.senderControl(from, direct).build();
    RouteAnswer plan = new RoutePlanner().plan(network.topology(), question);
    Plan document =
        new PlanDocument(network.topology(), (_, _) -> false)
            .of(plan, to, request.bytes(), PlanQuestion.notes(request), now, null);
    int paths = PlanQuestion.paths(request);
    return paths == 1
        ? document
        : MultipathDocument.with(
            document, paths, new MultipathPlanner().plan(network.topology(), question, paths));
  }

  /**
   * The control that the request names, otherwise the node's in the description, otherwise CUBIC.
   */
  private static CongestionControl directControl(
      DescribedNetwork network, String from, @Nullable Source source) {
    String said = source == null ? null : source.congestionControl();
    return said == null
        ? network.controls().getOrDefault(from, CongestionControl.CUBIC)
        : DescribedNetwork.control("--source-congestion-control", said);
  }

  private static CongestionControl hops(PlanRequest request) {
    String said = request.congestionControl();
    return said == null
        ? CongestionControl.CUBIC
        : DescribedNetwork.control("--congestion-control", said);
  }
}
