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
 * Evidence of transfers over a link, in spans of five minutes, so that memory is bounded for any
 * number of transfers.
 *
 * <p>Losses weigh half after {@link #HALF_LIFE}, since networks change, and nothing after {@link
 * #KEPT}: w = 2^(−age/15 min). A rate that was observed was possible, so it counts for a day.
 *
 * @param spans oldest first
 * @param highest the highest rate of payload within the past day
 * @param filled the highest rate at which transfers have filled the link within {@link #HALF_LIFE},
 *     or the latest such rate: disturbances only make a transfer slower
 * @param achieved for each congestion control the latest rate that was limited by losses
 * @param lessons for each congestion control what the transfers showed of the model's error; null
 *     in rows stored by versions without lessons
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Transfers(
    List<Span> spans,
    @Nullable Seen highest,
    @Nullable Seen filled,
    List<Achieved> achieved,
    @Nullable List<Lesson> lessons) {
  /** No evidence. */
  public static final Transfers NONE = new Transfers(List.of(), null, null, List.of(), List.of());

  static final Duration HALF_LIFE = Duration.ofMinutes(15);
  static final Duration KEPT = Duration.ofHours(2);
  static final Duration RATES_KEPT = Duration.ofDays(1);
  private static final Duration SPAN = Duration.ofMinutes(5);

  /**
   * Standard deviation of ln C for a capacity C that transfers have shown. A transfer counts as
   * limited by the network if its ends and applications limited it for at most a tenth of the time.
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
   * @param congestionControl of the latest transfer; null for packets sent without one
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

  /** Ratio of the rate that a congestion control achieves to the model's prediction. */
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

  /** Evidence of an observed rate of payload. */
  public static Transfers atLeast(double bitsPerSecond, Instant at) {
    return new Transfers(List.of(), new Seen(bitsPerSecond, at), null, List.of(), List.of());
  }

  /** This evidence and an observed rate of payload. */
  public Transfers andAtLeast(double bitsPerSecond, Instant now) {
    boolean higher =
        highest == null || expired(highest, now) || bitsPerSecond >= highest.bitsPerSecond();
    return higher
        ? new Transfers(spans, new Seen(bitsPerSecond, now), filled, achieved, lessons)
        : this;
  }

  /** This evidence with its times converted to another clock. */
  public Transfers at(UnaryOperator<Instant> clock) {
    return new Transfers(
        spans.stream().map(span -> span.at(clock)).toList(),
        highest == null ? null : highest.at(clock),
        filled == null ? null : filled.at(clock),
        achieved.stream().map(one -> one.at(clock)).toList(),
        known(lessons).stream().map(one -> one.at(clock)).toList());
  }

  /** Packets and losses among them, weighted by age. */
  public record Losses(double sent, double lost) {}

  /**
   * This evidence and one more transfer.
   *
   * @param bitsPerSecond rate over the link meanwhile: above the transfer's own if others ran
   *     beside it
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
   * Evidence of a train of full-size packets in one direction.
   *
   * @param sent packets whose losses are the link's own: none if the train stood in a queue
   * @param lost lost packets among those
   * @param bitsPerSecond rate as TCP payload of the same bandwidth on the wire; 0 if unknown
   */
  record Train(long sent, long lost, double bitsPerSecond, double minRttMillis) {}

  /**
   * This evidence and one more train. The link carries at least the rate at which the train was
   * received.
   */
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
   * This evidence and one more transfer, which shared a queue with another one: it got only a part
   * of the capacity, so it does not show the capacity.
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

  /** Correction of the model that transfers gave for a congestion control. */
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
   * @param said rate that the operators of both ends state
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

  /** Rates that losses limited lately, one for each congestion control. */
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

  /** The minimum round-trip time lately; empty without transfers. */
  Optional<Double> minRttMillis() {
    return spans.stream().map(Span::minRttMillis).min(Comparator.naturalOrder());
  }

  /** Time of the latest transfer; empty without transfers. */
  public Optional<Instant> updatedAt() {
    return spans.stream().map(Span::updatedAt).max(Comparator.naturalOrder());
  }

  /** Time of the latest transfer with this congestion control; empty without one. */
  Optional<Instant> updatedAt(CongestionControl control) {
    return spans.stream()
        .filter(span -> name(control).equals(span.congestionControl()))
        .map(Span::updatedAt)
        .max(Comparator.naturalOrder());
  }

  /** Time of the latest transfer or reported rate after a moment. */
  public Optional<Instant> seenSince(Instant moment) {
    return Stream.concat(updatedAt().stream(), Stream.ofNullable(highest).map(Seen::at))
        .max(Comparator.naturalOrder())
        .filter(moment::isBefore);
  }

  /** The evidence by source. */
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
