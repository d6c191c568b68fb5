package io.cascade.orchestrator.links;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of one direction within a sliding window, in buckets of time, so that memory is
 * bounded at any rate of measurements. Not thread-safe.
 */
public final class LinkWindow {
  static final Duration RECENT = Duration.ofMinutes(5);

  /** Probes that describe a link well enough: those of five minutes at the usual rate. */
  private static final long ENOUGH = 3_000;

  private static final Duration LONGEST = Duration.ofMinutes(30);

  private final Duration span;
  private final Duration length;
  private final long enough;
  private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();
  private @Nullable Double smoothedRttMillis;
  private @Nullable Double jitterMillis;
  private Instant updatedAt;

  private LinkWindow(Instant now, Duration span, Duration length, long enough) {
    this.updatedAt = now;
    this.span = span;
    this.length = length;
    this.enough = enough;
  }

  /**
   * Window of probes: the last five minutes. While links are probed at a lower rate it extends to
   * half an hour, as long as the newer probes are fewer than those of five minutes at the usual
   * rate. Round-trip times are of the last five minutes only.
   */
  static LinkWindow probes(Instant now) {
    return new LinkWindow(now, Duration.ofSeconds(10), RECENT, ENOUGH);
  }

  /** Window for plans: the last five minutes. */
  public static LinkWindow recent(Instant now) {
    return new LinkWindow(now, Duration.ofSeconds(10), RECENT, 0);
  }

  /** Window for operators: a day, in buckets of five minutes. */
  static LinkWindow day(Instant now) {
    return new LinkWindow(now, Duration.ofMinutes(5), Duration.ofDays(1), 0);
  }

  /** Adds a measurement without bursts of losses. */
  public void add(
      Instant at,
      long sent,
      long lost,
      @Nullable Double minRtt,
      @Nullable Double smoothedRtt,
      @Nullable Double jitter) {
    add(at, sent, lost, lost, minRtt, smoothedRtt, jitter);
  }

  /**
   * Adds a measurement; the round-trip times are null if no answer arrived.
   *
   * @param lossEvents loss events among the lost probes, see {@link Counts}
   */
  public void add(
      Instant at,
      long sent,
      long lost,
      long lossEvents,
      @Nullable Double minRtt,
      @Nullable Double smoothedRtt,
      @Nullable Double jitter) {
    Instant start =
        Instant.ofEpochSecond(at.getEpochSecond() / span.toSeconds() * span.toSeconds());
    Bucket last = buckets.peekLast();
    if (last == null || last.start.isBefore(start)) {
      last = new Bucket(start);
      buckets.addLast(last);
    }
    last.sent += sent;
    last.lost += lost;
    last.lossEvents += lossEvents;
    if (minRtt != null) {
      last.minRttMillis = Math.min(last.minRttMillis, minRtt);
    }
    last.smoothedRttMillis = smoothedRtt != null ? smoothedRtt : last.smoothedRttMillis;
    smoothedRttMillis = smoothedRtt != null ? smoothedRtt : smoothedRttMillis;
    jitterMillis = jitter != null ? jitter : jitterMillis;
    updatedAt = at;
    forget(at);
  }

  /** Returns the counts within the present window. */
  public Counts counts(Instant now) {
    forget(now);
    long sent = 0;
    long lost = 0;
    long lossEvents = 0;
    double minRtt = Double.POSITIVE_INFINITY;
    Instant limit = now.minus(length);
    for (Bucket bucket : buckets) {
      sent += bucket.sent;
      lost += bucket.lost;
      lossEvents += bucket.lossEvents;
      if (bucket.start.isAfter(limit)) {
        minRtt = Math.min(minRtt, bucket.minRttMillis);
      }
    }
    return new Counts(
        sent,
        lost,
        Double.isInfinite(minRtt) ? null : minRtt,
        smoothedRttMillis,
        jitterMillis,
        updatedAt,
        lossEvents);
  }

  /** Returns the buckets of the window that have measurements, oldest first. */
  List<Span> spans(Instant now) {
    forget(now);
    return buckets.stream().map(Bucket::closed).toList();
  }

  private void forget(Instant now) {
    Instant limit = now.minus(length);
    Bucket first = buckets.peekFirst();
    if (first == null || first.start.isAfter(limit)) {
      return;
    }
    Instant longestLimit = now.minus(LONGEST);
    boolean measured = buckets.getLast().start.isAfter(limit);
    long newer = 0;
    for (Bucket bucket : buckets) {
      newer += bucket.sent;
    }
    for (Iterator<Bucket> oldest = buckets.iterator(); oldest.hasNext(); ) {
      Bucket bucket = oldest.next();
      newer -= bucket.sent;
      boolean missed = measured && newer < enough && bucket.start.isAfter(longestLimit);
      if (missed || bucket.start.isAfter(limit)) {
        return;
      }
      oldest.remove();
    }
  }

  private static final class Bucket {
    private final Instant start;
    private long sent;
    private long lost;
    private long lossEvents;
    private double minRttMillis = Double.POSITIVE_INFINITY;
    private @Nullable Double smoothedRttMillis;

    Bucket(Instant start) {
      this.start = start;
    }

    Span closed() {
      return new Span(
          start,
          sent,
          lost,
          Double.isInfinite(minRttMillis) ? null : minRttMillis,
          smoothedRttMillis);
    }
  }

  /**
   * One bucket.
   *
   * @param minRttMillis the minimum in the bucket
   * @param smoothedRttMillis the value at the bucket's end
   */
  record Span(
      Instant start,
      long sent,
      long lost,
      @Nullable Double minRttMillis,
      @Nullable Double smoothedRttMillis) {

    Span at(Instant begin) {
      return new Span(begin, sent, lost, minRttMillis, smoothedRttMillis);
    }
  }

  /**
   * Losses among probes, and round-trip times.
   *
   * @param minRttMillis the minimum within the window
   * @param updatedAt time of the latest measurement
   * @param lossEvents number of loss events: a burst of losses counts once, as does each other
   *     loss; null in rows stored by versions that did not distinguish them: each loss is an event
   */
  public record Counts(
      long sent,
      long lost,
      @Nullable Double minRttMillis,
      @Nullable Double smoothedRttMillis,
      @Nullable Double jitterMillis,
      Instant updatedAt,
      @Nullable Long lossEvents) {

    /** Counts in which each loss is an event. */
    public Counts(
        long sent,
        long lost,
        @Nullable Double minRttMillis,
        @Nullable Double smoothedRttMillis,
        @Nullable Double jitterMillis,
        Instant updatedAt) {
      this(sent, lost, minRttMillis, smoothedRttMillis, jitterMillis, updatedAt, lost);
    }

    /** Losses that a congestion control would react to. */
    long events() {
      return lossEvents == null ? lost : lossEvents;
    }

    /**
     * Number of probes of which {@link #events} are the share that the link loses at random: if
     * losses are independent, {@code n·(1 − p)} received probes have {@code n·p·(1 − p)} bursts of
     * losses among them.
     */
    long sentForEvents() {
      return events() == lost ? sent : Math.max(sent - lost, events());
    }

    Counts at(Instant updated) {
      return new Counts(
          sent, lost, minRttMillis, smoothedRttMillis, jitterMillis, updated, lossEvents);
    }
  }
}
