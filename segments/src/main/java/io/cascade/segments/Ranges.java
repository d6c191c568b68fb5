package io.cascade.segments;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A set of offsets, kept as ranges that neither overlap nor touch. */
final class Ranges {
  private final TreeMap<Long, Long> ends = new TreeMap<>();

  /** Offsets from start to before end. */
  record Range(long start, long end) {}

  void add(long start, long end) {
    if (start >= end) {
      return;
    }
    long first = start;
    long last = end;
    Map.Entry<Long, Long> before = ends.floorEntry(start);
    if (before != null && before.getValue() >= start) {
      first = before.getKey();
      last = Math.max(last, before.getValue());
    }
    for (Map.Entry<Long, Long> next = ends.ceilingEntry(first);
        next != null && next.getKey() <= last;
        next = ends.ceilingEntry(first)) {
      last = Math.max(last, next.getValue());
      ends.remove(next.getKey());
    }
    ends.put(first, last);
  }

  void remove(long start, long end) {
    if (start >= end) {
      return;
    }
    Map.Entry<Long, Long> before = ends.lowerEntry(start);
    if (before != null && before.getValue() > start) {
      long beforeEnd = before.getValue();
      ends.put(before.getKey(), start);
      if (beforeEnd > end) {
        ends.put(end, beforeEnd);
        return;
      }
    }
    for (Map.Entry<Long, Long> next = ends.ceilingEntry(start);
        next != null && next.getKey() < end;
        next = ends.ceilingEntry(start)) {
      ends.remove(next.getKey());
      if (next.getValue() > end) {
        ends.put(end, next.getValue());
      }
    }
  }

  @Nullable Range first() {
    Map.Entry<Long, Long> first = ends.firstEntry();
    return first == null ? null : new Range(first.getKey(), first.getValue());
  }

  /** The first range that begins at or after the offset, or contains it. */
  @Nullable Range from(long offset) {
    Map.Entry<Long, Long> at = ends.floorEntry(offset);
    if (at != null && at.getValue() > offset) {
      return new Range(at.getKey(), at.getValue());
    }
    Map.Entry<Long, Long> next = ends.ceilingEntry(offset);
    return next == null ? null : new Range(next.getKey(), next.getValue());
  }

  boolean contains(long offset) {
    Map.Entry<Long, Long> at = ends.floorEntry(offset);
    return at != null && at.getValue() > offset;
  }

  int count() {
    return ends.size();
  }

  boolean isEmpty() {
    return ends.isEmpty();
  }

  /** Number of offsets. */
  long size() {
    return ends.entrySet().stream().mapToLong(range -> range.getValue() - range.getKey()).sum();
  }
}
