package io.cascade.orchestrator.links;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.model.calibration.Correction;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.planning.AchievedRate;
import io.cascade.model.planning.Capacity;
import io.cascade.model.planning.LearnedCorrection;
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
 * Evidence of transfers over a link, in spans of five minutes, so that it is bounded however many
 * there are.
 *
 * <p>A loss counts half after {@link #HALF_LIFE}, since networks change, and not at all after
 * {@link #KEPT}: w = 2^(−age/15 min). A rate that was seen was possible, so it counts for a day.
 *
 * @param spans the oldest first
 * @param highest the highest rate of payload within the past day
 * @param filled the highest rate at which transfers have filled the link within {@link #HALF_LIFE},
 *     or the latest one: whatever disturbs a transfer makes it slower, nothing makes it quicker
 * @param achieved the latest of each congestion control whose rate losses set
 * @param lessons what the transfers taught of the model's error, one of each congestion control;
 *     null in what was stored before there were any
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Transfers(
    List<Span> spans,
    @Nullable Seen highest,
    @Nullable Seen filled,
    List<Achieved> achieved,
    @Nullable List<Lesson> lessons) {
  /** Nothing seen. */
  public static final Transfers NONE = new Transfers(List.of(), null, null, List.of(), List.of());

  static final Duration HALF_LIFE = Duration.ofMinutes(15);
  static final Duration KEPT = Duration.ofHours(2);
  static final Duration RATES_KEPT = Duration.ofDays(1);
  private static final Duration SPAN = Duration.ofMinutes(5);

  /**
   * Deviation of ln C of a capacity that transfers have shown. A transfer counts as limited by the
   * network where ends and application held it back for up to a tenth of the time.
   */
  private static final double MEASURED = 0.06;

  private static final double SHARE = Framing.ETHERNET_1500.payloadShare();

  public Transfers {
    spans = List.copyOf(spans);
    achieved = List.copyOf(achieved);
    lessons = lessons == null ? List.of() : List.copyOf(lessons);
  }

  /**
   * Evidence of one source in one span.
   *
   * @param congestionControl of the latest transfer; null where packets were sent without one
   */
  record Span(
      Instant start,
      EvidenceSource source,
      long count,
      double sent,
      double lost,
      double bitsPerSecond,
      double minRttMillis,
      @Nullable String congestionControl,
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

  /** Rate that a congestion control achieves beside what the model expects of it. */
  record Lesson(String congestionControl, Correction correction) {
    Lesson at(UnaryOperator<Instant> clock) {
      return new Lesson(
          congestionControl,
          new Correction(
              correction.logRatio(),
              correction.evidence(),
              correction.outcomes(),
              clock.apply(correction.updatedAt())));
    }
  }

  /** The rate of payload that was seen. */
  public static Transfers atLeast(double bitsPerSecond, Instant at) {
    return new Transfers(List.of(), new Seen(bitsPerSecond, at), null, List.of(), List.of());
  }

  /** The same, and that a rate of payload was seen. */
  public Transfers andAtLeast(double bitsPerSecond, Instant now) {
    boolean higher =
        highest == null || expired(highest, now) || bitsPerSecond >= highest.bitsPerSecond();
    return higher
        ? new Transfers(spans, new Seen(bitsPerSecond, now), filled, achieved, lessons)
        : this;
  }

  /** The same with its moments by another clock. */
  public Transfers at(UnaryOperator<Instant> clock) {
    return new Transfers(
        spans.stream().map(span -> span.at(clock)).toList(),
        highest == null ? null : highest.at(clock),
        filled == null ? null : filled.at(clock),
        achieved.stream().map(one -> one.at(clock)).toList(),
        known(lessons).stream().map(one -> one.at(clock)).toList());
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
      full = higherOrLater(new Seen(transfer.filledBitsPerSecond().getAsDouble(), now));
    }
    boolean higher = highest == null || expired(highest, now) || rate >= highest.bitsPerSecond();
    return new Transfers(
        spans(now, source, transfer, rate),
        higher && rate > 0 ? new Seen(rate, now) : highest,
        full,
        achieved(now, transfer),
        lessons(now, transfer));
  }

  private Seen higherOrLater(Seen latest) {
    return filled != null
            && filled.at().isAfter(latest.at().minus(HALF_LIFE))
            && filled.bitsPerSecond() > latest.bitsPerSecond()
        ? filled
        : latest;
  }

  /**
   * Evidence of a train of full-size packets on one direction.
   *
   * @param sent packets whose losses are the link's: none where the train stood in a queue
   * @param lost among those
   * @param bitsPerSecond of TCP payload, had the link carried that instead; 0 where unknown
   */
  record Train(long sent, long lost, double bitsPerSecond, double minRttMillis) {}

  /** One train more. The link carries at least what was received of it. */
  Transfers and(Instant now, Train train) {
    boolean higher =
        train.bitsPerSecond() > 0
            && (highest == null
                || expired(highest, now)
                || train.bitsPerSecond() >= highest.bitsPerSecond());
    Span seen =
        new Span(
            now,
            EvidenceSource.TRAIN,
            1,
            train.sent(),
            train.lost(),
            train.bitsPerSecond(),
            train.minRttMillis(),
            null,
            now);
    return new Transfers(
        spans(now, seen),
        higher ? new Seen(train.bitsPerSecond(), now) : highest,
        filled,
        achieved,
        lessons);
  }

  /**
   * One transfer more that stood in a queue together with another one: how much the link carries it
   * does not tell, for it had only a part of that.
   */
  public Transfers andShared(Instant now, EvidenceSource source, LinkTransfer transfer) {
    Transfers all = and(now, source, transfer, transfer.highestBitsPerSecond());
    boolean queued = transfer.filledBitsPerSecond().isPresent();
    return new Transfers(all.spans, all.highest, filled, queued ? achieved : all.achieved, lessons);
  }

  private List<Span> spans(
      Instant now, EvidenceSource source, LinkTransfer transfer, double bitsPerSecond) {
    return spans(
        now,
        new Span(
            now,
            source,
            1,
            transfer.packets(),
            transfer.losses(),
            bitsPerSecond,
            transfer.minRttSeconds() * 1e3,
            name(transfer.control()),
            now));
  }

  private List<Span> spans(Instant now, Span seen) {
    Instant start =
        Instant.ofEpochSecond(now.getEpochSecond() / SPAN.toSeconds() * SPAN.toSeconds());
    List<Span> kept = new ArrayList<>();
    Span before = new Span(start, seen.source(), 0, 0, 0, 0, Double.MAX_VALUE, null, now);
    for (Span span : spans) {
      if (span.source() == seen.source() && span.start().equals(start)) {
        before = span;
      } else if (span.start().isAfter(now.minus(KEPT))) {
        kept.add(span);
      }
    }
    kept.add(
        new Span(
            start,
            seen.source(),
            before.count() + seen.count(),
            before.sent() + seen.sent(),
            before.lost() + seen.lost(),
            Math.max(before.bitsPerSecond(), seen.bitsPerSecond()),
            Math.min(before.minRttMillis(), seen.minRttMillis()),
            seen.congestionControl(),
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

  private static List<Lesson> known(@Nullable List<Lesson> lessons) {
    return lessons == null ? List.of() : lessons;
  }

  private List<Lesson> lessons(Instant now, LinkTransfer transfer) {
    Optional<LinkTransfer.Lesson> lesson = transfer.lesson();
    if (lesson.isEmpty()) {
      return known(lessons);
    }
    String control = name(transfer.control());
    Correction before = correction(control).orElse(Correction.none(now));
    List<Lesson> all = new ArrayList<>(known(lessons));
    all.removeIf(one -> one.congestionControl().equals(control));
    all.add(new Lesson(control, before.learn(lesson.get().ratio(), lesson.get().weight(), now)));
    return all;
  }

  private Optional<Correction> correction(String control) {
    return known(lessons).stream()
        .filter(one -> one.congestionControl().equals(control))
        .map(Lesson::correction)
        .findFirst();
  }

  /** Correction of the model that the transfers taught for a congestion control. */
  public LearnedCorrection learned(CongestionControl control, Instant now) {
    return correction(name(control))
        .map(known ->
            new LearnedCorrection(known.factor(now), known.outcomes(), known.evidenceAt(now)))
        .orElse(LearnedCorrection.NOTHING);
  }

  /** Losses of the link itself, see {@link LinkTransfer#losses}. */
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
   * Capacity on the wire, as far as it is known.
   *
   * @param said what the operators of both ends say that they carry
   */
  public Capacity capacity(@Nullable Long said, Instant now) {
    double seen = highest == null || expired(highest, now) ? 0 : highest.bitsPerSecond();
    double most = said == null ? Double.POSITIVE_INFINITY : said;
    if (filled != null && wasFilled(now)) {
      boolean recent = highest != null && highest.at().isAfter(filled.at().minus(HALF_LIFE));
      double full = recent ? Math.max(seen, filled.bitsPerSecond()) : filled.bitsPerSecond();
      return new Capacity.Known(Math.min(most, full / SHARE), MEASURED);
    }
    return said == null ? new Capacity.AtLeast(seen / SHARE) : new Capacity.Known(most);
  }

  /** Rates that losses let senders achieve lately, one of each congestion control. */
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
        .filter(span -> name(control).equals(span.congestionControl()))
        .map(Span::updatedAt)
        .max(Comparator.naturalOrder());
  }

  /** The latest transfer, or rate that was reported, after a moment. */
  public Optional<Instant> seenSince(Instant moment) {
    return Stream.concat(updatedAt().stream(), Stream.ofNullable(highest).map(Seen::at))
        .max(Comparator.naturalOrder())
        .filter(moment::isBefore);
  }

  /** One of each source that saw something. */
  List<LinkEvidence> evidence(Instant now) {
    List<LinkEvidence> evidence = new ArrayList<>();
    for (EvidenceSource source :
        List.of(
            EvidenceSource.TEST,
            EvidenceSource.STREAM,
            EvidenceSource.CODED,
            EvidenceSource.TRAIN)) {
      List<Span> own = spans.stream().filter(span -> span.source() == source).toList();
      if (own.isEmpty()) {
        continue;
      }
      Span last = own.getLast();
      evidence.add(
          LinkEvidence.builder()
              .source(source)
              .count(own.stream().mapToLong(Span::count).sum())
              .sent(own.stream().mapToDouble(span -> weight(span, now) * span.sent()).sum())
              .lost(own.stream().mapToDouble(span -> weight(span, now) * span.lost()).sum())
              .bitsPerSecond(own.stream().mapToDouble(Span::bitsPerSecond).max().orElse(0))
              .congestionControl(last.congestionControl())
              .updatedAt(last.updatedAt())
              .ageSeconds(seconds(last.updatedAt(), now))
              .build());
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
