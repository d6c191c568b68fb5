package io.cascade.model.planning;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Finds the measurements that would decide between the direct path and a cascade.
 *
 * <p>First a rate on links over which none was ever observed, since losses alone give no lower
 * bound. Then it uses the planner's own verdict: if each link had been probed twice, four times, …
 * as often with the same share of losses, would the plan be decided, and on which single link would
 * that suffice? If no number of probes decides, an unknown capacity may.
 */
final class NextMeasurements {

  private static final long MOST_REPETITIONS = 1024;

  private final Topology topology;
  private final RouteQuestion request;

  NextMeasurements(Topology topology, RouteQuestion request) {
    this.topology = topology;
    this.request = request;
  }

  /**
   * Measurements that turn {@link Decision#UNDECIDED} into a decision; empty if no reasonable
   * number does.
   */
  List<Measurement> between(Candidate direct, Candidate cascade) {
    if (direct.prediction().isEmpty()) {
      return List.of(
          new Measurement(Measurement.Kind.LINK, request.source(), request.destination(), 0));
    }
    List<NodePath> links = new ArrayList<>();
    links.add(direct.route());
    for (NodePath.Link link : cascade.route().links()) {
      links.add(new NodePath(List.of(link.from(), link.to())));
    }
    List<Measurement> unseen = capacities(links, Capacity::isUnseen);
    if (!unseen.isEmpty()) {
      return unseen;
    }
    for (long factor = 2; factor <= MOST_REPETITIONS; factor *= 2) {
      if (decidedBy(links, links, factor, cascade.route())) {
        return measurements(fewestProbes(links, factor, cascade.route()), factor);
      }
    }
    return capacities(
        cascade.prediction().isPresent() ? links : List.of(), one -> one.known().isEmpty());
  }

  private List<NodePath> fewestProbes(List<NodePath> links, long factor, NodePath cascade) {
    List<NodePath> fewest = links;
    long least = Long.MAX_VALUE;
    for (NodePath link : links) {
      if (sent(link) < least && decidedBy(links, List.of(link), factor, cascade)) {
        least = sent(link);
        fewest = List.of(link);
      }
    }
    return fewest;
  }

  private List<Measurement> measurements(List<NodePath> links, long factor) {
    return links.stream()
        .map(link ->
            new Measurement(
                Measurement.Kind.LOSS,
                link.nodes().getFirst(),
                link.nodes().getLast(),
                (factor - 1) * sent(link)))
        .toList();
  }

  private List<Measurement> capacities(List<NodePath> links, Predicate<Capacity> wanted) {
    return links.stream()
        .filter(link -> wanted.test(estimate(link).capacity()))
        .map(link ->
            new Measurement(
                Measurement.Kind.CAPACITY, link.nodes().getFirst(), link.nodes().getLast(), 0))
        .toList();
  }

  private boolean decidedBy(
      List<NodePath> links, List<NodePath> repeated, long factor, NodePath cascade) {
    Topology.Builder probed = Topology.builder();
    for (NodePath link : links) {
      String from = link.nodes().getFirst();
      String to = link.nodes().getLast();
      LinkEstimate estimate = estimate(from, to);
      probed.link(
          from,
          to,
          repeated.contains(link) ? estimate.withLoss(estimate.loss().repeated(factor)) : estimate);
    }
    probed.termsOf(topology);
    Forecaster forecaster = new Forecaster(probed.build(), request);
    if (request.objective() == Objective.PRICE) {
      return Verdict.of(forecaster.direct(), Optional.of(forecaster.cascade(cascade)), request)
              .decision()
          != Decision.UNDECIDED;
    }
    NodePath direct = new NodePath(List.of(request.source(), request.destination()));
    Verdict verdict =
        Verdict.of(
            false,
            forecaster.cost(direct, request.directControl()),
            forecaster.cost(cascade, request.hopControl()),
            forecaster.overestimate(cascade),
            request.confidence());
    return verdict.decision() != Decision.UNDECIDED;
  }

  private long sent(NodePath link) {
    return estimate(link).loss().sent();
  }

  private LinkEstimate estimate(NodePath link) {
    return estimate(link.nodes().getFirst(), link.nodes().getLast());
  }

  private LinkEstimate estimate(String from, String to) {
    return topology.link(from, to).orElseThrow();
  }
}
