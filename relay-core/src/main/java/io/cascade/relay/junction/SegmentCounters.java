package io.cascade.relay.junction;

import io.cascade.segments.Reason;
import io.cascade.segments.SegmentStream;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Counts a relay's refused pipes and reset streams, by reason. Thread-safe. */
public final class SegmentCounters {
  private final Map<Reason, Long> refused = new ConcurrentHashMap<>();
  private final Map<Reason, Long> reset = new ConcurrentHashMap<>();

  /** Counts a pipe that was refused here. */
  void refused(Reason reason) {
    refused.merge(reason, 1L, Long::sum);
  }

  /** Counts an ended stream if this junction or the other one has reset it. */
  void ended(SegmentStream stream) {
    SegmentStream.Failure failure = stream.failure();
    if (failure != null) {
      reset.merge(failure.reason(), 1L, Long::sum);
    }
  }

  /** Pipes refused here, by the reason's name; reasons without any are left out. */
  public Map<String, Long> refusedPipes() {
    return byName(refused);
  }

  /** Streams reset, by the reason's name; reasons without any are left out. */
  public Map<String, Long> resetStreams() {
    return byName(reset);
  }

  private static Map<String, Long> byName(Map<Reason, Long> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((reason, count) ->
        named.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), count));
    return named;
  }
}
