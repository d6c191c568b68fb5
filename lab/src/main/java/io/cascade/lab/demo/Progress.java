package io.cascade.lab.demo;

import io.cascade.charts.Line;
import java.util.ArrayList;
import java.util.List;

/** Progress of a transfer: its bytes, its recent rate, and the time left. */
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
   * @param seconds total time
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

  /** Recent rate; the average of a transfer that has ended. */
  double bitsPerSecond() {
    if (isDone()) {
      return 8 * totalBytes / doneSeconds;
    }
    Sample last = samples.getLast();
    Sample first = windowStart(last.seconds() - WINDOW_SECONDS);
    double span = last.seconds() - first.seconds();
    return span <= 0 ? 0 : 8 * (bytes() - first.bytes()) / span;
  }

  /** The first sample within the window, otherwise the last but one. */
  private Sample windowStart(double earliest) {
    int first = Math.max(0, samples.size() - 2);
    while (first > 0 && samples.get(first - 1).seconds() >= earliest) {
      first--;
    }
    return samples.get(first);
  }

  /** All records, in seconds and 10^6 bytes. */
  Line line() {
    return Line.solid(
        name,
        samples.stream().map(Sample::seconds).toList(),
        samples.stream().map(sample -> sample.bytes() / 1e6).toList());
  }

  /** Seconds that the transfer took; NaN until it has ended. */
  double doneSeconds() {
    return doneSeconds;
  }

  /** Whether all bytes have arrived, and the receiver has yet to confirm the file. */
  boolean isBeingConfirmed() {
    return !isDone() && bytes() == totalBytes;
  }

  /** Whether the recent rate yields a time left below a day. */
  boolean hasTimeLeft() {
    return !isDone() && !isBeingConfirmed() && bytes() > 0 && leftSeconds() < DAY_SECONDS;
  }

  /** Time left at the recent rate; infinite where nothing is moved. */
  double leftSeconds() {
    return 8 * (totalBytes - bytes()) / bitsPerSecond();
  }
}
