package io.cascade.orchestrator.links;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.planning.AchievedRate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.Framing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What transfers over a link have shown, in spans of five minutes, so that it is bounded however
 * many there are.
 *
 * <p>A loss counts half after {@link #HALF_LIFE}, since networks change, and not at all after
 * {@link #KEPT}: w = 2^(−age/15 min). A rate that was seen was possible, so it counts for a day.
 *
 * @param spans the oldest first
 * @param highest the highest rate of payload within the past day
 * @param filled the latest rate at which a transfer filled the link
 * @param achieved the latest of each congestion control whose rate losses set
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Transfers(
    List<Span> spans, @Nullable Seen highest, @Nullable Seen filled, List<Achieved> achieved) {
  /** Nothing seen. */
  public static final Transfers NONE = new Transfers(List.of(), null, null, List.of());

  static final Duration HALF_LIFE = Duration.ofMinutes(15);
  static final Duration KEPT = Duration.ofHours(2);
  static final Duration RATES_KEPT = Duration.ofDays(1);
  private static final Duration SPAN = Duration.ofMinutes(5);
  private static final double SHARE = Framing.ETHERNET_1500.payloadShare();

  public Transfers {
    spans = List.copyOf(spans);
    achieved = List.copyOf(achieved);
  }

  /** What one source saw in one span. */
  record Span(
      Instant start,
      EvidenceSource source,
      long count,
      double sent,
      double lost,
      double bitsPerSecond,
      double minRttMillis,
      String congestionControl,
      Instant updatedAt) {
    Span at(UnaryOperator<Instant> clock) {
      return new Span(
          clock.apply(start),
          source,
          count,
          sent,
          lost,
          bitsPerSecond,
          minRttMillis,
          congestionControl,
          clock.apply(updatedAt));
    }
  }

  /** A rate of payload. */
  record Seen(double bitsPerSecond, Instant at) {
    Seen at(UnaryOperator<Instant> clock) {
      return new Seen(bitsPerSecond, clock.apply(at));
    }
  }

  /** See {@link AchievedRate}. */
  record Achieved(String congestionControl, double bitsPerSecond, long losses, Instant at) {
    Achieved at(UnaryOperator<Instant> clock) {
      return new Achieved(congestionControl, bitsPerSecond, losses, clock.apply(at));
    }
  }

  /** Only that a rate of payload was seen. */
  public static Transfers atLeast(double bitsPerSecond, Instant at) {
    return new Transfers(List.of(), new Seen(bitsPerSecond, at), null, List.of());
  }

  /** The same, and that a rate of payload was seen. */
  public Transfers andAtLeast(double bitsPerSecond, Instant now) {
    boolean higher =
        highest == null || expired(highest, now) || bitsPerSecond >= highest.bitsPerSecond();
    return higher ? new Transfers(spans, new Seen(bitsPerSecond, now), filled, achieved) : this;
  }

  /** The same with its moments by another clock. */
  Transfers at(UnaryOperator<Instant> clock) {
    return new Transfers(
        spans.stream().map(span -> span.at(clock)).toList(),
        highest == null ? null : highest.at(clock),
        filled == null ? null : filled.at(clock),
        achieved.stream().map(one -> one.at(clock)).toList());
  }

  /** Packets and losses among them, weighed by their ages. */
  public record Losses(double sent, double lost) {}

  /**
   * One transfer more.
   *
   * @param bitsPerSecond what passed the link meanwhile: more than the transfer's own rate where
   *     others ran beside it
   */
  public Transfers and(
      Instant now, EvidenceSource source, LinkTransfer transfer, double bitsPerSecond) {
    double rate = Math.max(bitsPerSecond, transfer.highestBitsPerSecond());
    Seen full = filled;
    if (transfer.filledBitsPerSecond().isPresent()) {
      full = new Seen(transfer.filledBitsPerSecond().getAsDouble(), now);
    }
    boolean higher = highest == null || expired(highest, now) || rate >= highest.bitsPerSecond();
    return new Transfers(
        spans(now, source, transfer, rate),
        higher && rate > 0 ? new Seen(rate, now) : highest,
        full,
        achieved(now, transfer));
  }

  /**
   * One transfer more that stood in a queue together with another one: how much the link carries it
   * does not tell, for it had only a part of that.
   */
  public Transfers andShared(Instant now, EvidenceSource source, LinkTransfer transfer) {
    Transfers all = and(now, source, transfer, transfer.highestBitsPerSecond());
    return new Transfers(all.spans, all.highest, filled, all.achieved);
  }

  private List<Span> spans(
      Instant now, EvidenceSource source, LinkTransfer transfer, double bitsPerSecond) {
    Instant start =
        Instant.ofEpochSecond(now.getEpochSecond() / SPAN.toSeconds() * SPAN.toSeconds());
    List<Span> kept = new ArrayList<>();
    Span before =
        new Span(start, source, 0, 0, 0, 0, Double.MAX_VALUE, name(transfer.control()), now);
    for (Span span : spans) {
      if (span.source() == source && span.start().equals(start)) {
        before = span;
      } else if (span.start().isAfter(now.minus(KEPT))) {
        kept.add(span);
      }
    }
    kept.add(
        new Span(
            start,
            source,
            before.count() + 1,
            before.sent() + transfer.packets(),
            before.lost() + transfer.losses(),
            Math.max(before.bitsPerSecond(), bitsPerSecond),
            Math.min(before.minRttMillis(), transfer.minRttSeconds() * 1e3),
            name(transfer.control()),
            now));
    return kept;
  }

  private List<Achieved> achieved(Instant now, LinkTransfer transfer) {
    Optional<AchievedRate> latest = transfer.achieved();
    if (latest.isEmpty()) {
      return achieved;
    }
    String control = name(transfer.control());
    List<Achieved> all = new ArrayList<>(achieved);
    all.removeIf(one -> one.congestionControl().equals(control));
    all.add(new Achieved(control, latest.get().bitsPerSecond(), latest.get().losses(), now));
    return all;
  }

  /** Those of the link itself, see {@link LinkTransfer#losses}. */
  Losses losses(Instant now) {
    double sent = 0;
    double lost = 0;
    for (Span span : spans) {
      double weight = weight(span, now);
      sent += weight * span.sent();
      lost += weight * span.lost();
    }
    return new Losses(sent, lost);
  }

  /**
   * What is known of the capacity, on the wire.
   *
   * @param said what the operators of both ends say that they carry
   */
  public Capacity capacity(@Nullable Long said, Instant now) {
    double seen = highest == null || expired(highest, now) ? 0 : highest.bitsPerSecond();
    double most = said == null ? Double.POSITIVE_INFINITY : said;
    if (filled != null && wasFilled(now)) {
      boolean later = highest != null && highest.at().isAfter(filled.at());
      double full = later ? Math.max(seen, filled.bitsPerSecond()) : filled.bitsPerSecond();
      return new Capacity.Known(Math.min(most, full / SHARE));
    }
    return said == null ? new Capacity.AtLeast(seen / SHARE) : new Capacity.Known(most);
  }

  /** What losses let senders achieve lately, one of each congestion control. */
  List<AchievedRate> achieved(Instant now) {
    List<AchievedRate> rates = new ArrayList<>();
    for (Achieved one : achieved) {
      Optional<CongestionControl> control = control(one.congestionControl());
      if (control.isPresent() && one.at().isAfter(now.minus(KEPT))) {
        rates.add(new AchievedRate(control.get(), one.bitsPerSecond(), one.losses()));
      }
    }
    return rates;
  }

  /** Whether a transfer has filled the link within the past day. */
  boolean wasFilled(Instant now) {
    return filled != null && !expired(filled, now);
  }

  /** The shortest round trip lately; empty where there was no transfer. */
  Optional<Double> minRttMillis() {
    return spans.stream().map(Span::minRttMillis).min(Comparator.naturalOrder());
  }

  /** The latest transfer; empty where none is remembered. */
  public Optional<Instant> updatedAt() {
    return spans.stream().map(Span::updatedAt).max(Comparator.naturalOrder());
  }

  /** The latest transfer that was sent with this; empty where none is remembered. */
  Optional<Instant> updatedAt(CongestionControl control) {
    return spans.stream()
        .filter(span -> span.congestionControl().equals(name(control)))
        .map(Span::updatedAt)
        .max(Comparator.naturalOrder());
  }

  /** The latest transfer, or rate that was reported, after a moment. */
  Optional<Instant> seenSince(Instant moment) {
    return Stream.concat(updatedAt().stream(), Stream.ofNullable(highest).map(Seen::at))
        .max(Comparator.naturalOrder())
        .filter(moment::isBefore);
  }

  /** One of each source that saw something. */
  List<LinkEvidence> evidence(Instant now) {
    List<LinkEvidence> evidence = new ArrayList<>();
    for (EvidenceSource source : List.of(EvidenceSource.TEST, EvidenceSource.STREAM)) {
      List<Span> own = spans.stream().filter(span -> span.source() == source).toList();
      if (own.isEmpty()) {
        continue;
      }
      Span last = own.getLast();
      evidence.add(
          new LinkEvidence(
              source,
              own.stream().mapToLong(Span::count).sum(),
              own.stream().mapToDouble(span -> weight(span, now) * span.sent()).sum(),
              own.stream().mapToDouble(span -> weight(span, now) * span.lost()).sum(),
              own.stream().mapToDouble(Span::bitsPerSecond).max().orElse(0),
              last.congestionControl(),
              last.updatedAt(),
              seconds(last.updatedAt(), now)));
    }
    return evidence;
  }

  static double seconds(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1e3);
  }

  private static Optional<CongestionControl> control(String name) {
    return Arrays.stream(CongestionControl.values())
        .filter(one -> name(one).equals(name))
        .findFirst();
  }

  static String name(CongestionControl control) {
    return control.name().toLowerCase(Locale.ROOT);
  }

  private static double weight(Span span, Instant now) {
    double age = seconds(span.updatedAt(), now);
    return age > KEPT.toSeconds() ? 0 : Math.pow(0.5, age / HALF_LIFE.toSeconds());
  }

  private static boolean expired(Seen seen, Instant now) {
    return seen.at().isBefore(now.minus(RATES_KEPT));
  }
}
