package io.cascade.client.terminal;

import io.cascade.api.orchestrator.CapacityKind;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkEvidence;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.TrainDirection;
import io.cascade.contract.Quantities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Describes links for people. */
public final class LinkText {
  private LinkText() {}

  /** {@code 32.0 Mbit/s}, {@code at least 9.98 Mbit/s}, {@code unknown}. */
  public static String capacity(Link link) {
    Long capacity = link.capacityBitsPerSecond();
    if (capacity == null) {
      return "unknown";
    }
    String rate = Quantities.rate((Double) capacity.doubleValue());
    return link.capacityKind() == CapacityKind.AT_LEAST ? "at least " + rate : rate;
  }

  /** {@code 10000 probes 2 s ago, 1 test 5 min ago}. */
  public static String evidence(Link link) {
    List<LinkEvidence> evidence = Objects.requireNonNullElse(link.evidence(), List.of());
    return evidence.isEmpty()
        ? "-"
        : evidence.stream()
            .map(one -> count(one) + lost(one) + " " + ago(one.ageSeconds()))
            .collect(Collectors.joining(", "));
  }

  /** Describes the contribution of a source to the estimate of loss. */
  private static String lost(LinkEvidence one) {
    return one.sent() > 0
        ? " (" + Math.round(one.lost()) + "/" + Math.round(one.sent()) + " lost)"
        : "";
  }

  /**
   * The estimate that plans use, such as {@code 0.12 %}. If no loss was seen, that estimate is
   * mostly prior, and the upper bound is shown instead: {@code none seen, below 5.87 %}.
   */
  public static String loss(Link link) {
    Double loss = link.lossRate();
    Double low = link.lossRateLow();
    Double high = link.lossRateHigh();
    if (loss == null) {
      return "unknown";
    }
    return low != null && low == 0 && high != null
        ? "none seen, below " + Quantities.percent(high)
        : Quantities.percent(loss);
  }

  private static String count(LinkEvidence evidence) {
    return switch (evidence.source()) {
      case PROBE -> counted(evidence.count(), "probe");
      case TEST -> counted(evidence.count(), "test");
      case STREAM -> counted(evidence.count(), "look") + " at streams";
      case CODED -> counted(evidence.count(), "look") + " at coded hops";
      case TRAIN -> counted(evidence.count(), "train");
    };
  }

  private static String counted(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  /** {@code 2 s ago}, {@code 5 min ago}, {@code 3 h ago}. */
  static String ago(double seconds) {
    if (seconds < 120) {
      return Math.round(seconds) + " s ago";
    }
    return seconds < 7_200
        ? Math.round(seconds / 60) + " min ago"
        : Math.round(seconds / 3_600) + " h ago";
  }

  /**
   * A matrix whose cells have round trip, loss and capacity, and the source, number and age of
   * their evidence: of probes, and of transfers the latest.
   */
  public static Table matrix(List<Link> links) {
    TreeSet<String> targets = new TreeSet<>();
    Map<String, Map<String, Link>> rows = new HashMap<>();
    for (Link link : links) {
      targets.add(link.to());
      rows.computeIfAbsent(link.from(), _ -> new HashMap<>()).put(link.to(), link);
    }
    List<String> heading = new ArrayList<>(targets);
    heading.addFirst("from");
    Table table = new Table(heading.toArray(String[]::new));
    for (String from : new TreeSet<>(rows.keySet())) {
      List<Object> cells = new ArrayList<>(List.of(from));
      Map<String, Link> row = Objects.requireNonNull(rows.get(from));
      targets.forEach(to -> cells.add(cell(row.get(to))));
      table.row(cells.toArray());
    }
    return table;
  }

  private static String cell(@Nullable Link link) {
    if (link == null) {
      return "-";
    }
    Double rtt = link.minRttMillis();
    return (rtt == null ? "-" : Quantities.millis(rtt))
        + ", "
        + loss(link)
        + ", "
        + (capacity(link) + seen(link, true) + seen(link, false))
        + (link.stale() ? ", stale" : "");
  }

  private static String seen(Link link, boolean probes) {
    return Objects.requireNonNullElse(link.evidence(), List.<LinkEvidence>of()).stream()
        .filter(one -> probes == (one.source() == EvidenceSource.PROBE))
        .min((one, other) -> Double.compare(one.ageSeconds(), other.ageSeconds()))
        .map(one -> ", " + count(one) + " " + ago(one.ageSeconds()))
        .orElse("");
  }

  /** Describes the result of a packet train, in a line for each direction. */
  public static List<String> train(LinkTrain train) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%s to %s and back: %d packets of %d bytes at %s in %.1f s, round trip %s%s",
            train.from(),
            train.to(),
            train.packets(),
            train.packetBytes(),
            Quantities.rate(train.sentBitsPerSecond()),
            train.seconds(),
            Quantities.millis(train.minRttMillis()),
            train.endedBy().equals("STREAM") ? ", ended early for a stream" : ""),
        direction(train.from() + " to " + train.to(), train.there()),
        direction(train.to() + " to " + train.from(), train.back()));
  }

  private static String direction(String name, TrainDirection direction) {
    Double rate = direction.bitsPerSecond();
    return String.format(
            Locale.ROOT,
            "%s: %d of %d lost%s, delay above the least %s (median), %s (95 %%), capacity %s",
            name,
            direction.lost(),
            direction.sent(),
            rate == null ? "" : ", received at " + Quantities.rate(rate),
            Quantities.millis(direction.delayMedianMillis()),
            Quantities.millis(direction.delayHighMillis()),
            capacity(direction.link()))
        + (direction.stoodInQueue()
            ? "; it stood in a queue, so its losses do not count as the link's: send slower"
            : "");
  }

  /** Describes a test's result in a few lines. */
  public static List<String> test(LinkTest test) {
    Double steady = test.steadyBitsPerSecond();
    Double loaded = test.loadedRttMillis();
    return List.of(
        String.format(
            Locale.ROOT,
            "%s to %s: %s over %.1f s with %s%s",
            test.from(),
            test.to(),
            Quantities.rate(test.bitsPerSecond()),
            test.seconds(),
            test.congestionControl(),
            steady == null ? "" : ", steady " + Quantities.rate(steady)),
        "sent again: " + test.retransmittedSegments() + " of " + test.sentSegments() + " segments",
        "round trip: "
            + Quantities.millis(test.minRttMillis())
            + (loaded == null ? "" : ", under load " + Quantities.millis(loaded)),
        "limited by: " + test.limitedBy() + ", ended by: " + test.endedBy(),
        "capacity of the link: " + capacity(test.link()));
  }
}
