package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.PartStatus;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes evidence of links from what coded hops sent between two readings of the dialling relay.
 *
 * <p>The rate is the mean rate of packets that arrived in that time, without momentary estimates.
 * It counts as the capacity if data waited in the relay for the hop for half of the time while the
 * rate controller saw no other traffic (DELAY or DOWN), unless the direct way carries part of the
 * same data; otherwise it is a lower bound. The loss is the controller's estimate of the path's own
 * loss.
 */
@Component
class CodedEvidence implements ChainMemory {
  /** Number of packets that carry {@link HopEvidence#LEAST_BYTES}. */
  static final long LEAST_PACKETS = 750;

  private static final int PAYLOAD_BYTES = 1_427;
  private static final Duration MOST_BETWEEN = Duration.ofSeconds(60);
  private static final Duration LEAST_BETWEEN = Duration.ofSeconds(1);
  private static final double WAITED = 0.5;
  private static final double MOST_LOSS = 0.9;

  private final LinkTable links;
  private final Timekeeper time;
  private final Map<Part, Look> looks = new HashMap<>();

  CodedEvidence(LinkTable links, Timekeeper time) {
    this.links = links;
    this.time = time;
  }

  private record Part(UUID chain, String relay) {}

  private record Look(long mark, PartStatus part) {}

  /** Receives what a relay of the chain reports to have sent. */
  void counted(Chain chain, String relay, PartStatus now) {
    if (now.coded() == null) {
      return;
    }
    Part part = new Part(chain.id(), relay);
    long mark = time.mark();
    Look before;
    synchronized (this) {
      before = looks.get(part);
      if (before != null && !time.passed(before.mark(), LEAST_BETWEEN)) {
        return;
      }
      looks.put(part, new Look(mark, now));
    }
    if (before == null || time.passed(before.mark(), MOST_BETWEEN)) {
      return;
    }
    double seconds = (mark - before.mark()) / 1e9;
    boolean waited =
        waited(before.part(), now) >= WAITED * seconds && !ChainQuestion.sharesWithDirect(chain);
    for (RouteHop hop : chain.installedRoute().outOf(relay)) {
      transfer(RelayHops.coded(hop, before.part()), RelayHops.coded(hop, now), seconds, waited)
          .ifPresent(found ->
              links.transferred(
                  relay, hop.to(), EvidenceSource.CODED, found, found.bitsPerSecond()));
    }
  }

  @Override
  public synchronized void retain(Predicate<UUID> open) {
    looks.keySet().removeIf(part -> !open.test(part.chain()));
  }

  /**
   * Evidence of a hop between two readings; empty if it sent too little, was carried over TCP, or a
   * session of it has ended.
   */
  static Optional<LinkTransfer> transfer(
      @Nullable CodedHop before, @Nullable CodedHop now, double seconds, boolean waited) {
    if (before == null
        || now == null
        || now.carrier() != CodedCarrier.UDP
        || before.carrier() != CodedCarrier.UDP
        || !Objects.equals(
            now.sessions(), before.sessions()) // counters leave out sessions that have ended
        || now.lossShare() == null
        || now.baseLossShare() == null
        || now.roundTripMillis() == null
        || !(now.roundTripMillis() > 0)) {
      return Optional.empty();
    }
    long sources = now.sourceSymbols() - before.sourceSymbols();
    long packets = sources + now.repairSymbols() - before.repairSymbols();
    if (sources < 0 || packets < LEAST_PACKETS) {
      return Optional.empty(); // too little was sent, or a session has started anew
    }
    double base = Math.clamp(now.baseLossShare(), 0.0, MOST_LOSS);
    double arrived = packets * (1 - Math.clamp(now.lossShare(), 0.0, 1.0));
    // The packets that arrived and those that the path itself lost; at most those that were sent.
    long passed = Math.min(packets, Math.round(arrived / (1 - base)));
    double rate = Byte.SIZE * PAYLOAD_BYTES * Math.min((double) sources, arrived) / seconds;
    return Optional.of(
        new LinkTransfer(
            CongestionControl.CODED,
            rate,
            OptionalDouble.of(rate),
            seconds,
            passed,
            Math.round(passed * base),
            now.roundTripMillis() / 1e3,
            OptionalDouble.empty(),
            waited && isAlone(before) && isAlone(now)));
  }

  /** Whether the rate controller saw no other traffic on the link. */
  private static boolean isAlone(CodedHop hop) {
    return "DELAY".equalsIgnoreCase(hop.mode()) || "DOWN".equalsIgnoreCase(hop.mode());
  }

  private static double waited(PartStatus before, PartStatus now) {
    return sinkSeconds(now.totals().forwardStalls()) - sinkSeconds(before.totals().forwardStalls());
  }

  private static double sinkSeconds(@Nullable Stalls stalls) {
    return stalls == null ? 0 : stalls.sinkSeconds();
  }
}
