package io.cascade.relay.chain;

import java.util.HashMap;
import java.util.Map;

/** Counts running streams by the source of their clients. Thread-safe. */
final class SourceStreams {
  private final Map<Object, Integer> running = new HashMap<>();

  /** Counts one more stream; returns false if the source already has {@code most}. */
  synchronized boolean enter(Object source, int most) {
    int now = running.getOrDefault(source, 0);
    if (now >= most) {
      return false;
    }
    running.put(source, now + 1);
    return true;
  }

  /** Counts one stream less. */
  synchronized void leave(Object source) {
    running.computeIfPresent(source, (_, now) -> now == 1 ? null : now - 1);
  }
}
