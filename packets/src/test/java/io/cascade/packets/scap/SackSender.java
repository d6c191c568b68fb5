package io.cascade.packets.scap;

import io.cascade.packets.header.TcpOptions.SackBlock;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A TCP sender, in numbers of segments: Reno with SACK (RFC 6675) and a time-out of 200 ms at least
 * (RFC 6298). No tail-loss probe, no time-based loss detection.
 */
final class SackSender {
  private static final long LEAST_TIMEOUT_NANOS = 200_000_000L;
  private static final int DUPLICATES = 3;

  private final TreeMap<Integer, Segment> outstanding = new TreeMap<>();
  private final int mostOutstanding;
  private final long segments;
  private final boolean slowStarts;
  private double window = 10;
  private double threshold = Double.MAX_VALUE;
  private int next;
  private int recoveryEnd;
  private boolean timedOut;
  private double smoothedNanos;
  private double deviationNanos;
  private long progressNanos;
  private int backoff = 1;
  private int timeouts;

  private static final class Segment {
    private final long sentNanos;
    private boolean held;
    private boolean lost;
    private boolean repeated;
    private boolean inFlight = true;

    Segment(long sentNanos) {
      this.sentNanos = sentNanos;
    }
  }

  /**
   * @param mostOutstanding the receiver's window, in segments
   * @param segments that there are to send
   * @param slowStarts whether the window grows while it repeats after a time-out
   */
  SackSender(int mostOutstanding, long segments, boolean slowStarts) {
    this.mostOutstanding = mostOutstanding;
    this.segments = segments;
    this.slowStarts = slowStarts;
  }

  int timeouts() {
    return timeouts;
  }

  /**
   * Takes an acknowledgment.
   *
   * @param upTo the first segment that the receiver lacks
   * @param blocks in numbers of segments
   */
  void acknowledged(int upTo, List<SackBlock> blocks, long nowNanos) {
    // As Linux does: what is acknowledged together with a repeated segment is no measure.
    boolean repeats = outstanding.headMap(upTo).values().stream().anyMatch(each -> each.repeated);
    while (!outstanding.isEmpty() && outstanding.firstKey() < upTo) {
      Segment segment = outstanding.pollFirstEntry().getValue();
      if (!repeats && !segment.held) {
        measure((double) (nowNanos - segment.sentNanos));
      }
      if (timedOut || upTo > recoveryEnd) {
        window += window < threshold ? 1 : 1 / window;
      }
      progressNanos = nowNanos;
      backoff = 1;
    }
    for (SackBlock block : blocks) {
      for (Segment segment : outstanding.subMap(block.start(), block.end()).values()) {
        if (!segment.repeated && !segment.held) {
          measure((double) (nowNanos - segment.sentNanos));
        }
        segment.held = true;
        segment.inFlight = false;
      }
    }
    findLosses();
  }

  private void findLosses() {
    int heldBehind = 0;
    for (Map.Entry<Integer, Segment> entry : outstanding.descendingMap().entrySet()) {
      int number = entry.getKey();
      Segment segment = entry.getValue();
      heldBehind += segment.held ? 1 : 0;
      if (!segment.held && !segment.lost && heldBehind >= DUPLICATES) {
        segment.lost = true;
        segment.inFlight = false;
        if (number >= recoveryEnd) {
          recoveryEnd = next;
          timedOut = false;
          threshold = Math.max(2, window / 2);
          window = threshold;
        }
      }
    }
  }

  private void measure(double sample) {
    deviationNanos =
        smoothedNanos == 0
            ? sample / 2
            : deviationNanos + (Math.abs(sample - smoothedNanos) - deviationNanos) / 4;
    smoothedNanos = smoothedNanos == 0 ? sample : smoothedNanos + (sample - smoothedNanos) / 8;
  }

  private long timeoutNanos() {
    double once =
        smoothedNanos == 0
            ? 1e9
            : smoothedNanos + Math.max(LEAST_TIMEOUT_NANOS, 4 * deviationNanos);
    return progressNanos + (long) (once * backoff);
  }

  /** The segment to send now, if any. */
  OptionalInt poll(long nowNanos) {
    if (outstanding.isEmpty()) {
      progressNanos = nowNanos;
    } else if (nowNanos >= timeoutNanos()) {
      timedOut(nowNanos);
    }
    long inFlight = outstanding.values().stream().filter(segment -> segment.inFlight).count();
    if (inFlight + 1 > window) {
      return OptionalInt.empty();
    }
    for (Map.Entry<Integer, Segment> entry : outstanding.entrySet()) {
      Segment segment = entry.getValue();
      if (segment.lost && !segment.held && !segment.inFlight && !segment.repeated) {
        segment.repeated = true;
        segment.inFlight = true;
        return OptionalInt.of(entry.getKey());
      }
    }
    if (outstanding.size() >= mostOutstanding || next >= segments) {
      return OptionalInt.empty();
    }
    outstanding.put(next, new Segment(nowNanos));
    return OptionalInt.of(next++);
  }

  private void timedOut(long nowNanos) {
    timeouts++;
    backoff = Math.min(64, 2 * backoff);
    progressNanos = nowNanos;
    timedOut = slowStarts;
    threshold = Math.max(2, window / 2);
    window = 1;
    recoveryEnd = next;
    for (Segment segment : outstanding.values()) {
      segment.lost = !segment.held;
      segment.inFlight = false;
      segment.repeated = false;
    }
  }
}
