package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.ProcessTotals;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.chains.OpenChains;
import io.cascade.orchestrator.chains.RelayHops;
import io.cascade.orchestrator.chains.RoutePrediction;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Combines the reports of relays with the predictions for chains. */
@Component
public class StatisticsBoard {
  private final RelaySnapshots snapshots;
  private final RelayRegistry relays;
  private final OpenChains chains;

  StatisticsBoard(RelaySnapshots snapshots, RelayRegistry relays, OpenChains chains) {
    this.snapshots = snapshots;
    this.relays = relays;
    this.chains = chains;
  }

  /** The present statistics. Calls the relays, so it blocks. */
  public Statistics now() {
    RelaySnapshots.Pair pair = snapshots.pair();
    return new Statistics(
        pair.now().at(),
        pair.before() == null ? null : (Double) pair.seconds(),
        relays.all().stream().map(relay -> relay(relay, pair)).toList(),
        chains.carrying().stream().map(chain -> chain(chain, pair)).toList());
  }

  private static RelayStatistics relay(RegisteredRelay relay, RelaySnapshots.Pair pair) {
    String name = relay.name();
    boolean answered = pair.now().answered(name);
    var parts = pair.now().of(name).values();
    RelayLimits limits = relay.limits();
    ProcessTotals process = pair.now().process(name);
    return RelayStatistics.builder()
        .relay(name)
        .site(relay.registration().site())
        .status(relay.status())
        .answered(answered)
        .runningStreams(
            answered
                ? (Long) sum(parts, part -> part.totals().running())
                : (Long) relay.runningStreams())
        .maxStreams(limits == null ? null : limits.maxStreams())
        .heldBytes(
            answered
                ? (Long) sum(parts, part -> orZero(part.totals().heldBytes()))
                : (Long) relay.heldBytes())
        .memoryBytes(limits == null ? null : limits.memoryBytes())
        .chains(parts.size())
        .forwardBitsPerSecond(rate(name, pair, Progress::forwardBitsPerSecond))
        .backwardBitsPerSecond(rate(name, pair, Progress::backwardBitsPerSecond))
        .uptimeSeconds(process == null ? null : process.uptimeSeconds())
        .processors(process == null ? null : process.processors())
        .processorShare(
            pair.before() == null
                ? null
                : Progress.processorShare(pair.before().process(name), process))
        .build();
  }

  private static @Nullable Double rate(
      String relay, RelaySnapshots.Pair pair, ToDoubleFunction<Progress> of) {
    RelaySnapshot before = pair.before();
    if (before == null || !before.answered(relay) || !pair.now().answered(relay)) {
      return null;
    }
    double sum = 0;
    for (PartStatus part : pair.now().of(relay).values()) {
      Progress progress = Progress.between(before.of(relay, part.chainId()), part, pair.seconds());
      sum += progress == null ? 0 : of.applyAsDouble(progress);
    }
    return sum;
  }

  /** Two snapshots of a chain by one relay; null if it reported none. */
  private record Seen(
      @Nullable PartStatus now, @Nullable PartStatus before, @Nullable Progress progress) {
    static Seen of(RelaySnapshots.Pair pair, String relay, UUID chain) {
      PartStatus now = pair.now().of(relay, chain);
      PartStatus before = pair.before() == null ? null : pair.before().of(relay, chain);
      return new Seen(now, before, Progress.between(before, now, pair.seconds()));
    }
  }

  private ChainStatistics chain(OpenChains.OpenChain chain, RelaySnapshots.Pair pair) {
    RouteHops route = chain.route();
    Map<String, Seen> seen = new HashMap<>();
    for (String relay : route.relays()) {
      seen.put(relay, Seen.of(pair, relay, chain.id()));
    }
    PartStatus first = at(route.firstRelay(), seen).now();
    StreamTotals atIngress = first == null ? null : first.totals();
    Progress ingress = at(route.firstRelay(), seen).progress();
    Progress egress = at(route.lastRelay(), seen).progress();
    Bottleneck bottleneck = bottleneck(route, seen, pair.seconds());
    return ChainStatistics.builder()
        .chainId(chain.id())
        .name(chain.name())
        .state(chain.state())
        .destination(chain.destination())
        .relays(route.relays())
        .runningStreams(atIngress == null ? 0 : atIngress.running())
        .openedStreams(atIngress == null ? 0 : atIngress.opened())
        .completedStreams(atIngress == null ? 0 : atIngress.completed())
        .failedStreams(atIngress == null ? 0 : atIngress.failed())
        .heldBytes(
            seen.values().stream()
                .map(Seen::now)
                .filter(Objects::nonNull)
                .mapToLong(part -> orZero(part.totals().heldBytes()))
                .sum())
        .forwardBitsPerSecond(egress == null ? null : (Double) egress.forwardBitsPerSecond())
        .backwardBitsPerSecond(ingress == null ? null : (Double) ingress.backwardBitsPerSecond())
        .predictedBitsPerSecond(
            chain.prediction() == null
                ? chain.pipes().bitsPerSecond()
                : chain.prediction().bitsPerSecond())
        .bottleneck(bottleneck == null ? null : words(route, bottleneck))
        .hops(
            route.all().stream()
                .map(hop -> {
                  boolean slowest = bottleneck != null && bottleneck.hop().equals(hop.address());
                  return hop(
                      hop,
                      at(looking(hop), seen),
                      chain.prediction(),
                      slowest,
                      chain.pipes().byFirstHop());
                })
                .toList())
        .build();
  }

  private static Seen at(String relay, Map<String, Seen> seen) {
    return Objects.requireNonNull(seen.get(relay));
  }

  /**
   * The relay that reports a hop: the one at its start; for the hop from the source the first
   * relay.
   */
  private static String looking(RouteHop hop) {
    return hop.leavesRelay() ? hop.from() : hop.to();
  }

  /** The bottleneck; null if no bytes move or wait, or a relay did not report. */
  private static @Nullable Bottleneck bottleneck(
      RouteHops route, Map<String, Seen> seen, double seconds) {
    Progress ingress = at(route.firstRelay(), seen).progress();
    Progress egress = at(route.lastRelay(), seen).progress();
    // Relays of several pipes are not in one row.
    if (ingress == null || egress == null || !route.isOnePipe()) {
      return null;
    }
    boolean forward = egress.forwardBitsPerSecond() >= ingress.backwardBitsPerSecond();
    List<Bottleneck.Waiting> waiting = new ArrayList<>();
    for (String relay : route.relays()) {
      Progress progress = at(relay, seen).progress();
      if (progress == null) {
        return null;
      }
      HopAddress in = route.into(relay).getFirst().address();
      HopAddress out = route.outOf(relay).getFirst().address();
      waiting.add(
          forward
              ? new Bottleneck.Waiting(in, progress.forwardStalls(), out)
              : new Bottleneck.Waiting(out, progress.backwardStalls(), in));
    }
    boolean moves = egress.forwardBitsPerSecond() + ingress.backwardBitsPerSecond() > 0;
    RouteHop origin =
        (forward ? route.outOf(RouteHops.SOURCE) : route.into(RouteHops.DESTINATION)).getFirst();
    return Bottleneck.of(forward ? waiting : waiting.reversed(), seconds)
        .filter(found -> moves || !found.hop().equals(origin.address()))
        .orElse(null);
  }

  private static String words(RouteHops route, Bottleneck bottleneck) {
    RouteHop hop = Objects.requireNonNull(route.at(bottleneck.hop()));
    return bottleneck.memory() && hop.leavesRelay()
        ? "the memory of " + hop.from()
        : "the hop from " + hop.from() + " to " + hop.to();
  }

  private static HopStatistics hop(
      RouteHop hop,
      Seen seen,
      @Nullable RoutePrediction prediction,
      boolean bottleneck,
      Map<HopAddress, Double> shares) {
    HopConnections tcp = connections(hop, seen.now());
    Progress sender = hop.leavesRelay() ? seen.progress() : null;
    return HopStatistics.builder()
        .from(hop.from())
        .to(hop.to())
        .bottleneck(bottleneck)
        .predictedBitsPerSecond(
            prediction == null ? null : prediction.of(hop.address()).bitsPerSecond())
        .connections(tcp == null ? null : tcp.connections())
        .meanRttMillis(tcp == null ? null : tcp.meanRttMillis())
        .minRttMillis(tcp == null ? null : tcp.minRttMillis())
        .unackedSegments(tcp == null ? null : tcp.unackedSegments())
        .congestionWindowSegments(tcp == null ? null : tcp.congestionWindowSegments())
        .notSentBytes(tcp == null ? null : tcp.notSentBytes())
        .sentSegments(tcp == null ? null : tcp.sentSegments())
        .retransmittedSegments(tcp == null ? null : tcp.retransmittedSegments())
        .retransmittedShare(Progress.retransmittedShare(connections(hop, seen.before()), tcp))
        .heldBytes(
            !hop.leavesRelay() || seen.now() == null ? null : seen.now().totals().heldBytes())
        .forwardStalls(sender == null ? null : Progress.shares(sender.forwardStalls()))
        .backwardStalls(sender == null ? null : Progress.shares(sender.backwardStalls()))
        .hop(hop.address())
        .pipe(pipe(hop, seen.now()))
        .pipeShare(share(hop, seen.now()))
        .predictedPipeShare(shares.get(hop.address()))
        .coded(hop.leavesRelay() && seen.now() != null ? RelayHops.coded(hop, seen.now()) : null)
        .build();
  }

  /**
   * Share of a pipe in the bytes of the pipes that begin at the same relay; null if there were
   * none.
   */
  private static @Nullable Double share(RouteHop hop, @Nullable PartStatus part) {
    PipeTotals own = pipe(hop, part);
    if (own == null || part == null) {
      return null;
    }
    double all =
        Objects.requireNonNull(part.totals().pipes()).stream()
            .filter(pipe -> pipe.hop().segment().equals(hop.address().segment()))
            .mapToDouble(pipe -> pipe.sentBytes() + pipe.receivedBytes())
            .sum();
    return all == 0 ? null : (Double) ((own.sentBytes() + own.receivedBytes()) / all);
  }

  /** Totals of the pipe at its first hop, after a junction; null at other hops. */
  private static @Nullable PipeTotals pipe(RouteHop hop, @Nullable PartStatus part) {
    return part == null || !hop.leavesRelay() ? null : RelayHops.pipe(hop, part.totals());
  }

  private static @Nullable HopConnections connections(RouteHop hop, @Nullable PartStatus part) {
    if (part == null) {
      return null;
    }
    return hop.leavesRelay()
        ? RelayHops.atStart(hop, part.totals())
        : RelayHops.atEnd(hop, part.totals());
  }

  private static long sum(
      java.util.Collection<PartStatus> parts, java.util.function.ToLongFunction<PartStatus> of) {
    return parts.stream().mapToLong(of).sum();
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
