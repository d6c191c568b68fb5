package io.cascade.relay.proxy;

import io.cascade.api.orchestrator.TriedWay;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Results of a trial's streams on one path, bounded by the number of streams in a trial. */
final class PathResult {
  private final List<Double> bitsPerSecond = new ArrayList<>();
  private final List<Double> firstByteNanos = new ArrayList<>();
  private int streams;

  void add(StreamPace.Achieved achieved) {
    streams++;
    if (achieved.bulk()) {
      bitsPerSecond.add(achieved.bitsPerSecond());
    }
    if (achieved.firstByteNanos() >= 0) {
      firstByteNanos.add((double) achieved.firstByteNanos());
    }
  }

  int streams() {
    return streams;
  }

  int bulkStreams() {
    return bitsPerSecond.size();
  }

  /** Number of streams that received a byte from the destination. */
  int answered() {
    return firstByteNanos.size();
  }

  /** Median rate of bulk streams; there must be one. */
  double bitsPerSecond() {
    return median(bitsPerSecond);
  }

  /** Median time to the first byte; there must be one. */
  double firstByteNanos() {
    return Math.max(1, median(firstByteNanos));
  }

  TriedWay document() {
    return new TriedWay(streams, bulkStreams(), rate(), firstByteMillis());
  }

  /** Describes the result, for example " at 12.1 Mbit/s"; empty if nothing was measured. */
  String text() {
    Double rate = rate();
    Double millis = firstByteMillis();
    if (rate != null) {
      return String.format(Locale.ROOT, " at %.3g Mbit/s", rate / 1e6);
    }
    return millis == null
        ? ""
        : String.format(Locale.ROOT, " with the first byte after %.3g ms", millis);
  }

  private @Nullable Double rate() {
    return bitsPerSecond.isEmpty() ? null : (Double) bitsPerSecond();
  }

  private @Nullable Double firstByteMillis() {
    return firstByteNanos.isEmpty() ? null : (Double) (firstByteNanos() / 1e6);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }
}
