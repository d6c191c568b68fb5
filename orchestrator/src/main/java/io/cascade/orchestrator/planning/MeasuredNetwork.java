package io.cascade.orchestrator.planning;

import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.planning.LinkTerms;
import io.cascade.model.planning.RelayTerms;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import io.cascade.orchestrator.links.MeasuredLink;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measurements of all sources, combined into the model's network. */
final class MeasuredNetwork {
  static final String SOURCE = "source";
  static final String DESTINATION = "destination";

  /**
   * The link to a relay beside the source: a local network's round trip, and a million probes
   * without a loss.
   */
  private static final LinkEstimate BESIDE =
      LinkEstimate.of(Duration.ofNanos(100_000), new LossEstimate(0, 1_000_000));

  private final @Nullable Long assumedCapacity;
  private final Map<Pair, LinkEstimate> links = new HashMap<>();
  private final Set<Pair> assumed = new HashSet<>();
  private final Map<Pair, Instant> measuredAt = new HashMap<>();
  private final Map<String, RelayTerms> relays = new HashMap<>();
  private final Map<Pair, LinkTerms> terms = new HashMap<>();

  /**
   * @param assumedCapacity capacity in bit/s of links without a stated or measured one; null for no
   *     assumption
   */
  MeasuredNetwork(@Nullable Long assumedCapacity) {
    this.assumedCapacity = assumedCapacity;
  }

  private record Pair(String from, String to) {}

  /**
   * Replaces the estimate of a link; does nothing if the link has no round-trip time or no packet.
   */
  void link(String from, String to, MeasuredLink link) {
    link.estimate()
        .ifPresent(estimate -> {
          put(from, to, estimate);
          measuredAt.put(new Pair(from, to), link.measuredAt());
        });
  }

  /** Sets a local network, which is not measured and is assumed not to limit. */
  void beside(String from, String to) {
    put(from, to, BESIDE);
    assumed.add(new Pair(from, to));
    measuredAt.remove(new Pair(from, to));
  }

  /**
   * The oldest of the latest measurements of the links on the direct path and the best cascade;
   * empty if none of them was measured.
   */
  Optional<Instant> measuredAt(RouteAnswer plan) {
    return Stream.concat(
            plan.candidate(Candidate.Kind.DIRECT).stream(), plan.bestCascade().stream())
        .flatMap(way -> way.route().links().stream())
        .map(link -> measuredAt.get(new Pair(link.from(), link.to())))
        .filter(Objects::nonNull)
        .min(Comparator.naturalOrder());
  }

  private void put(String from, String to, LinkEstimate estimate) {
    Pair pair = new Pair(from, to);
    assumed.remove(pair);
    links.put(pair, assumedCapacity == null ? estimate : assuming(estimate, assumedCapacity));
  }

  private static LinkEstimate assuming(LinkEstimate estimate, double capacity) {
    return switch (estimate.capacity()) {
      case Capacity.Known _ -> estimate;
      case Capacity.AtLeast(double seen) ->
          estimate.withCapacity(new Capacity.Known(Math.max(seen, capacity)));
      case Capacity.Unlimited _ -> estimate.withCapacity(new Capacity.Known(capacity));
    };
  }

  Optional<LinkEstimate> link(String from, String to) {
    return Optional.ofNullable(links.get(new Pair(from, to)));
  }

  boolean isAssumed(String from, String to) {
    return assumed.contains(new Pair(from, to));
  }

  /** Adds the correction that chains gave for a link and a congestion control. */
  void learned(String from, String to, CongestionControl control, LearnedCorrection lesson) {
    links.computeIfPresent(new Pair(from, to), (_, link) -> link.withLearned(control, lesson));
  }

  /** Sets the limits of the socket buffers at the links' ends. */
  void buffers(HopBuffers known) {
    links.replaceAll((pair, link) -> {
      OptionalLong bytes = known.of(pair.from(), pair.to());
      return bytes.isPresent() ? link.withBuffers(bytes.getAsLong()) : link;
    });
  }

  /** Sets the terms of a relay. */
  void terms(String relay, RelayTerms given) {
    relays.put(relay, given);
  }

  /**
   * Adds the capacity of a link that was promised to chains; ignored for a link without a known
   * capacity.
   */
  void promised(String from, String to, double bitsPerSecond) {
    Pair pair = new Pair(from, to);
    LinkEstimate link = links.get(pair);
    if (link != null && bitsPerSecond > 0 && link.capacity().known().isPresent()) {
      double free = Math.max(0, link.capacity().known().getAsDouble() - bitsPerSecond);
      terms.put(pair, LinkTerms.USUAL.withFree(free));
    }
  }

  Topology topology() {
    Topology.Builder topology = Topology.builder();
    relays.forEach(topology::terms);
    terms.forEach((pair, given) -> topology.terms(pair.from(), pair.to(), given));
    links.forEach((pair, estimate) -> topology.link(pair.from(), pair.to(), estimate));
    return topology.build();
  }
}
