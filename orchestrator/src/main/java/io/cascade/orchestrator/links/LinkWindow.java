package io.cascade.orchestrator.links;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Measurements of one direction within a sliding window, in buckets of ten seconds, so that it is
 * bounded however often somebody measures. Not thread-safe.
 */
public final class LinkWindow {
  static final Duration BUCKET = Duration.ofSeconds(10);
  static final Duration LENGTH = Duration.ofMinutes(5);

  private final ArrayDeque<Bucket> buckets = new ArrayDeque<>();
  private @Nullable Double smoothedRttMillis;
  private @Nullable Double jitterMillis;
  private Instant updatedAt;

  public LinkWindow(Instant now) {
    this.updatedAt = now;
  }

  /** One measurement; the round-trip times are missing where no answer came. */
  public void add(
      Instant at,
      long sent,
      long lost,
      @Nullable Double minRtt,
      @Nullable Double smoothedRtt,
      @Nullable Double jitter) {
    Instant start =
        Instant.ofEpochSecond(at.getEpochSecond() / BUCKET.toSeconds() * BUCKET.toSeconds());
    Bucket last = buckets.peekLast();
    if (last == null || last.start.isBefore(start)) {
      last = new Bucket(start);
      buckets.addLast(last);
    }
    last.sent += sent;
    last.lost += lost;
    if (minRtt != null) {
      last.minRttMillis = Math.min(last.minRttMillis, minRtt);
    }
    smoothedRttMillis = smoothedRtt != null ? smoothedRtt : smoothedRttMillis;
    jitterMillis = jitter != null ? jitter : jitterMillis;
    updatedAt = at;
    forget(at);
  }

  /** What is within the window now. */
  public Counts counts(Instant now) {
    forget(now);
    long sent = 0;
    long lost = 0;
    double minRtt = Double.POSITIVE_INFINITY;
    for (Bucket bucket : buckets) {
      sent += bucket.sent;
      lost += bucket.lost;
      minRtt = Math.min(minRtt, bucket.minRttMillis);
    }
    return new Counts(
        sent,
        lost,
        Double.isInfinite(minRtt) ? null : minRtt,
        smoothedRttMillis,
        jitterMillis,
        updatedAt);
  }

  private void forget(Instant now) {
    Instant limit = now.minus(LENGTH);
    for (Iterator<Bucket> oldest = buckets.iterator(); oldest.hasNext(); ) {
      if (oldest.next().start.isAfter(limit)) {
        return;
      }
      oldest.remove();
    }
  }

  private static final class Bucket {
    private final Instant start;
    private long sent;
    private long lost;
    private double minRttMillis = Double.POSITIVE_INFINITY;

    Bucket(Instant start) {
      this.start = start;
    }
  }

  /**
   * Losses among probes, and round-trip times.
   *
   * @param minRttMillis the least within the window
   * @param updatedAt the latest measurement
   */
  public record Counts(
      long sent,
      long lost,
      @Nullable Double minRttMillis,
      @Nullable Double smoothedRttMillis,
      @Nullable Double jitterMillis,
      Instant updatedAt) {}
}
