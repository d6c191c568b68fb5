package io.cascade.lab.demo;

import io.cascade.charts.Line;
import java.util.ArrayList;
import java.util.List;

/**
 * Progress of a transfer: how far it is, how fast it lately was, and how long the rest will take.
 */
final class Progress {
  /** Long enough that a single recovery from a loss does not show. */
  private static final double WINDOW_SECONDS = 5;

  private static final double DAY_SECONDS = 86_400;

  private final String name;
  private final long totalBytes;
  private final List<Sample> samples = new ArrayList<>();
  private double doneSeconds = Double.NaN;

  private record Sample(double seconds, long bytes) {}

  /**
   * @param totalBytes at least 1
   */
  Progress(String name, long totalBytes) {
    this.name = name;
    this.totalBytes = totalBytes;
    samples.add(new Sample(0, 0));
  }

  String name() {
    return name;
  }

  long totalBytes() {
    return totalBytes;
  }

  /**
   * Records how many bytes had arrived.
   *
   * @param seconds since the transfer's beginning
   */
  void arrived(long bytes, double seconds) {
    samples.add(new Sample(seconds, Math.max(bytes, bytes())));
  }

  /**
   * The receiver has confirmed the file.
   *
   * @param seconds that it took in all
   */
  void done(double seconds) {
    samples.add(new Sample(seconds, totalBytes));
    doneSeconds = seconds;
  }

  boolean isDone() {
    return !Double.isNaN(doneSeconds);
  }

  long bytes() {
    return samples.getLast().bytes();
  }

  double fraction() {
    return (double) bytes() / totalBytes;
  }

  /** Lately; of a transfer that is done, on average. */
  double bitsPerSecond() {
    if (isDone()) {
      return 8 * totalBytes / doneSeconds;
    }
    Sample last = samples.getLast();
    Sample first = windowStart(last.seconds() - WINDOW_SECONDS);
    double span = last.seconds() - first.seconds();
    return span <= 0 ? 0 : 8 * (bytes() - first.bytes()) / span;
  }

  /** The first sample that is young enough, or else the last but one. */
  private Sample windowStart(double earliest) {
    int first = Math.max(0, samples.size() - 2);
    while (first > 0 && samples.get(first - 1).seconds() >= earliest) {
      first--;
    }
    return samples.get(first);
  }

  /** All that was recorded, in seconds and 10^6 bytes. */
  Line line() {
    return Line.solid(
        name,
        samples.stream().map(Sample::seconds).toList(),
        samples.stream().map(sample -> sample.bytes() / 1e6).toList());
  }

  /** Seconds that the transfer took; NaN until it is done. */
  double doneSeconds() {
    return doneSeconds;
  }

  /** Whether all bytes have arrived, and the receiver has still to confirm the file. */
  boolean isBeingConfirmed() {
    return !isDone() && bytes() == totalBytes;
  }

  /** Whether the recent rate says something of the time left: within a day. */
  boolean hasTimeLeft() {
    return !isDone() && !isBeingConfirmed() && bytes() > 0 && leftSeconds() < DAY_SECONDS;
  }

  /** Time left at the recent rate; infinite where nothing moves. */
  double leftSeconds() {
    return 8 * (totalBytes - bytes()) / bitsPerSecond();
  }
}
