package io.cascade.orchestrator.statistics;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.Stalls;
import io.cascade.api.relay.StreamTotals;
import io.cascade.orchestrator.chains.OpenChains;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts together what relays say and what chains were predicted to do. */
@Component
public class StatisticsBoard {
  private static final String SOURCE = "source";
  private static final String DESTINATION = "destination";

  private final Looks looks;
  private final RelayRegistry relays;
  private final OpenChains chains;

  StatisticsBoard(Looks looks, RelayRegistry relays, OpenChains chains) {
    this.looks = looks;
    this.relays = relays;
    this.chains = chains;
  }

  /** Asks the relays. Blocks. */
  public Statistics now() {
    Looks.Pair pair = looks.look();
    return new Statistics(
        pair.now().at(),
        pair.before() == null ? null : (Double) pair.seconds(),
        relays.all().stream().map(relay -> relay(relay, pair)).toList(),
        chains.carrying().stream().map(chain -> chain(chain, pair)).toList());
  }

  private static RelayStatistics relay(RegisteredRelay relay, Looks.Pair pair) {
    String name = relay.name();
    boolean answered = pair.now().answered(name);
    var parts = pair.now().of(name).values();
    RelayLimits limits = relay.limits();
    return new RelayStatistics(
        name,
        relay.registration().site(),
        relay.status(),
        answered,
        answered
            ? (Long) sum(parts, part -> part.totals().running())
            : (Long) relay.runningStreams(),
        limits == null ? null : limits.maxStreams(),
        answered
            ? (Long) sum(parts, part -> orZero(part.totals().heldBytes()))
            : (Long) relay.heldBytes(),
        limits == null ? null : limits.memoryBytes(),
        parts.size(),
        rate(name, pair, Progress::forwardBitsPerSecond),
        rate(name, pair, Progress::backwardBitsPerSecond));
  }

  private static @Nullable Double rate(
      String relay, Looks.Pair pair, ToDoubleFunction<Progress> of) {
    Look before = pair.before();
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

  private ChainStatistics chain(OpenChains.OpenChain chain, Looks.Pair pair) {
    List<@Nullable PartStatus> now = new ArrayList<>();
    List<@Nullable PartStatus> before = new ArrayList<>();
    List<@Nullable Progress> progress = new ArrayList<>();
    for (String relay : chain.relays()) {
      PartStatus part = pair.now().of(relay, chain.id());
      PartStatus earlier = pair.before() == null ? null : pair.before().of(relay, chain.id());
      now.add(part);
      before.add(earlier);
      progress.add(Progress.between(earlier, part, pair.seconds()));
    }
    Progress ingress = progress.isEmpty() ? null : progress.getFirst();
    Progress egress = progress.isEmpty() ? null : progress.getLast();
    Bottleneck bottleneck = bottleneck(progress, ingress, egress, pair.seconds());
    List<HopStatistics> hops = new ArrayList<>();
    for (int hop = 0; hop <= chain.relays().size() && !chain.relays().isEmpty(); hop++) {
      int looking = Math.max(0, hop - 1);
      hops.add(
          hop(
              chain,
              hop,
              now.get(looking),
              before.get(looking),
              hop == 0 ? null : progress.get(looking),
              bottleneck != null && bottleneck.hop() == hop));
    }
    StreamTotals atIngress =
        now.isEmpty() || now.getFirst() == null ? null : now.getFirst().totals();
    return new ChainStatistics(
        chain.id(),
        chain.name(),
        chain.state(),
        chain.destination(),
        chain.relays(),
        atIngress == null ? 0 : atIngress.running(),
        atIngress == null ? 0 : atIngress.opened(),
        atIngress == null ? 0 : atIngress.completed(),
        atIngress == null ? 0 : atIngress.failed(),
        now.stream()
            .filter(Objects::nonNull)
            .mapToLong(part -> orZero(part.totals().heldBytes()))
            .sum(),
        egress == null ? null : (Double) egress.forwardBitsPerSecond(),
        ingress == null ? null : (Double) ingress.backwardBitsPerSecond(),
        chain.prediction() == null ? null : chain.prediction().bitsPerSecond(),
        bottleneck == null ? null : words(chain, bottleneck),
        hops);
  }

  /** Null where no byte moves and none waits, or a relay has nothing to say. */
  private static @Nullable Bottleneck bottleneck(
      List<@Nullable Progress> progress,
      @Nullable Progress ingress,
      @Nullable Progress egress,
      double seconds) {
    if (ingress == null || egress == null || progress.contains(null)) {
      return null;
    }
    List<Progress> all = progress.stream().filter(Objects::nonNull).toList();
    boolean forward = egress.forwardBitsPerSecond() >= ingress.backwardBitsPerSecond();
    List<Stalls> stalls =
        all.stream().map(forward ? Progress::forwardStalls : Progress::backwardStalls).toList();
    boolean moves = egress.forwardBitsPerSecond() + ingress.backwardBitsPerSecond() > 0;
    return Bottleneck.of(stalls, forward, seconds)
        .filter(found -> moves || found.hop() != (forward ? 0 : all.size()))
        .orElse(null);
  }

  private static String words(OpenChains.OpenChain chain, Bottleneck bottleneck) {
    int hop = bottleneck.hop();
    String from = from(chain, hop);
    String to = to(chain, hop);
    return bottleneck.memory() && !from.equals(SOURCE)
        ? "the memory of " + from
        : "the hop from " + from + " to " + to;
  }

  private static HopStatistics hop(
      OpenChains.OpenChain chain,
      int hop,
      @Nullable PartStatus now,
      @Nullable PartStatus before,
      @Nullable Progress sender,
      boolean bottleneck) {
    HopConnections tcp = connections(hop, now);
    HopPrediction predicted = predicted(chain.prediction(), hop);
    return new HopStatistics(
        from(chain, hop),
        to(chain, hop),
        bottleneck,
        predicted == null ? null : predicted.bitsPerSecond(),
        tcp == null ? null : tcp.connections(),
        tcp == null ? null : tcp.meanRttMillis(),
        tcp == null ? null : tcp.minRttMillis(),
        tcp == null ? null : tcp.unackedSegments(),
        tcp == null ? null : tcp.congestionWindowSegments(),
        tcp == null ? null : tcp.notSentBytes(),
        tcp == null ? null : tcp.sentSegments(),
        tcp == null ? null : tcp.retransmittedSegments(),
        Progress.retransmittedShare(connections(hop, before), tcp),
        hop == 0 || now == null ? null : now.totals().heldBytes(),
        sender == null ? null : Progress.shares(sender.forwardStalls()),
        sender == null ? null : Progress.shares(sender.backwardStalls()));
  }

  /** A hop as the relay at its start sees it; the first hop as the ingress sees it. */
  private static @Nullable HopConnections connections(int hop, @Nullable PartStatus part) {
    return part == null ? null : hop == 0 ? part.totals().inlet() : part.totals().onward();
  }

  private static @Nullable HopPrediction predicted(@Nullable Candidate candidate, int hop) {
    return candidate == null || hop >= candidate.hops().size() ? null : candidate.hops().get(hop);
  }

  private static String from(OpenChains.OpenChain chain, int hop) {
    return hop == 0 ? SOURCE : chain.relays().get(hop - 1);
  }

  private static String to(OpenChains.OpenChain chain, int hop) {
    return hop == chain.relays().size() ? DESTINATION : chain.relays().get(hop);
  }

  private static long sum(
      java.util.Collection<PartStatus> parts, java.util.function.ToLongFunction<PartStatus> of) {
    return parts.stream().mapToLong(of).sum();
  }

  private static long orZero(@Nullable Long value) {
    return value == null ? 0 : value;
  }
}
