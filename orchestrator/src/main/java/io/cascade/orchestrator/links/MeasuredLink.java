package io.cascade.orchestrator.links;

import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.model.planning.AchievedRate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LinkEstimate;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.uncertainty.LossEstimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of a link at a moment.
 *
 * @param counts probes within their window
 * @param transfers evidence from throughput tests and bulk streams
 * @param saidBitsPerSecond the rate that the operators of both ends state; null if not stated
 * @param stale whether relays have not reported it for longer than their interval at rest
 * @param at the moment
 */
public record MeasuredLink(
    String from,
    String to,
    LinkWindow.Counts counts,
    Transfers transfers,
    @Nullable Long saidBitsPerSecond,
    boolean stale,
    Instant at) {

  /** Age up to which evidence on a link counts as fresh: another test would tell little more. */
  public static final Duration FRESH = Duration.ofMinutes(15);

  /** Two-sided 95 %, as the contract promises: 97.5 % on either side. */
  private static final double TWO_SIDED = 0.975;

  /** Number of data segments whose losses describe data better than any number of small probes. */
  private static final double ENOUGH_SEGMENTS = 3_000;

  /** Number of probes (datagrams) that are not all lost at random. */
  private static final long UNANSWERED = 20;

  /** Number of segments among which a loss rate of 0.1 % shows as ten losses. */
  private static final double MANY_SEGMENTS = 10_000;

  /**
   * A link measured by connection attempts, which lose a packet in either direction, see {@link
   * LossEstimate#ofExchanges}.
   */
  public static MeasuredLink ofAttempts(
      String from,
      String to,
      LinkWindow.Counts attempts,
      Transfers transfers,
      @Nullable Long saidBitsPerSecond,
      Instant at) {
    long sent = 0;
    long lost = 0;
    if (attempts.sent() > 0) {
      LossEstimate oneWay = LossEstimate.ofExchanges(attempts.lost(), attempts.sent());
      sent = oneWay.sent();
      lost = oneWay.lost();
    }
    LinkWindow.Counts packets =
        new LinkWindow.Counts(
            sent,
            lost,
            attempts.minRttMillis(),
            attempts.smoothedRttMillis(),
            attempts.jitterMillis(),
            attempts.updatedAt());
    return new MeasuredLink(from, to, packets, transfers, saidBitsPerSecond, false, at);
  }

  /** The estimate for the model; empty if no round-trip time or no packet is known. */
  public Optional<LinkEstimate> estimate() {
    Optional<LossEstimate> loss = loss();
    Double rtt = rttMillis();
    if (loss.isEmpty() || rtt == null) {
      return Optional.empty();
    }
    LinkEstimate estimate =
        new LinkEstimate(
            Duration.ofNanos(Math.max(1_000, Math.round(rtt * 1e6))), loss.get(), capacity());
    for (AchievedRate achieved : transfers.achieved(at)) {
      estimate = estimate.withAchieved(achieved);
    }
    if (counts.sent() >= UNANSWERED && counts.lost() == counts.sent()) {
      estimate = estimate.withoutDatagrams();
    }
    boolean onlySaid = saidBitsPerSecond != null && !transfers.wasFilled(at);
    return Optional.of(onlySaid ? estimate.withCapacityOnlySaid() : estimate);
  }

  /** Capacity on the wire. */
  public Capacity capacity() {
    return transfers.capacity(saidBitsPerSecond, at);
  }

  /** Whether a test or a bulk stream gave evidence within this time. */
  public boolean wasSeenWithin(Duration age) {
    return transfers.updatedAt().filter(then -> then.isAfter(at.minus(age))).isPresent();
  }

  /**
   * Whether a test or a bulk stream with this congestion control gave evidence within this time.
   */
  public boolean wasSeenWithin(Duration age, CongestionControl control) {
    return transfers.updatedAt(control).filter(then -> then.isAfter(at.minus(age))).isPresent();
  }

  /**
   * Whether so many recent data segments were observed that a few more would hardly change the
   * estimate of the losses.
   */
  public boolean isWellCounted() {
    return transfers.losses(at).sent() >= MANY_SEGMENTS;
  }

  /** Time of the latest transfer that still counts; without one, of the latest probe. */
  public Instant measuredAt() {
    return transfers.seenSince(at.minus(Transfers.RATES_KEPT)).orElse(counts.updatedAt());
  }

  /**
   * Loss events among data segments if there are enough of them, otherwise among those and probes
   * together.
   */
  private Optional<LossEstimate> loss() {
    Transfers.Losses data = transfers.losses(at);
    boolean enough = data.sent() >= ENOUGH_SEGMENTS;
    long sent = Math.round(data.sent() + (enough ? 0 : counts.sentForEvents()));
    long lost = Math.round(data.lost() + (enough ? 0 : counts.events()));
    return sent > 0 ? Optional.of(new LossEstimate(Math.min(lost, sent), sent)) : Optional.empty();
  }

  private @Nullable Double rttMillis() {
    if (counts.minRttMillis() != null) {
      return counts.minRttMillis();
    }
    return counts.smoothedRttMillis() != null
        ? counts.smoothedRttMillis()
        : transfers.minRttMillis().orElse(null);
  }

  /** The link in the contract's form. */
  Link document() {
    Optional<LossEstimate> loss = loss();
    Capacity capacity = capacity();
    return Link.builder()
        .from(from)
        .to(to)
        .minRttMillis(counts.minRttMillis())
        .smoothedRttMillis(counts.smoothedRttMillis())
        .jitterMillis(counts.jitterMillis())
        .probesSent(counts.sent())
        .probesLost(counts.lost())
        .lossRateLow(loss.map(known -> known.lower(TWO_SIDED)).orElse(null))
        .lossRateHigh(loss.map(known -> known.upper(TWO_SIDED)).orElse(null))
        .capacityBitsPerSecond(bitsPerSecond(capacity))
        .updatedAt(counts.updatedAt())
        .stale(stale)
        .capacityKind(kind(capacity))
        .lossRate(loss.map(LossEstimate::likely).orElse(null))
        .evidence(evidence())
        .build();
  }

  private static @Nullable Long bitsPerSecond(Capacity capacity) {
    return switch (capacity) {
      case Capacity.Known(double rate, _) -> Math.round(rate);
      case Capacity.AtLeast(double rate) when rate > 0 -> Math.round(rate);
      case Capacity.AtLeast _, Capacity.Unlimited _ -> null;
    };
  }

  private static CapacityKind kind(Capacity capacity) {
    return switch (capacity) {
      case Capacity.Known _ -> CapacityKind.KNOWN;
      case Capacity.AtLeast(double rate) when rate > 0 -> CapacityKind.AT_LEAST;
      case Capacity.AtLeast _, Capacity.Unlimited _ -> CapacityKind.UNKNOWN;
    };
  }

  private List<LinkEvidence> evidence() {
    List<LinkEvidence> evidence = new ArrayList<>();
    if (counts.sent() > 0) {
      evidence.add(
          LinkEvidence.builder()
              .source(EvidenceSource.PROBE)
              .count(counts.sent())
              .sent((double) counts.sent())
              .lost((double) counts.lost())
              .updatedAt(counts.updatedAt())
              .ageSeconds(Transfers.seconds(counts.updatedAt(), at))
              .build());
    }
    evidence.addAll(transfers.evidence(at));
    return evidence;
  }
}
