package io.cascade.relay.junction;

import io.cascade.relay.stream.Outlet;
import org.jspecify.annotations.Nullable;

/**
 * The current ways to open a segment's pipes. After a relay received other keys, later pipes of
 * running streams use those. Thread-safe.
 */
public interface PipeSource {
  /** Number of pipes of the segment. */
  int count();

  /**
   * Returns the way to open a pipe.
   *
   * @param index counted from 0
   * @return null if none can be opened now
   */
  @Nullable Way at(int index);

  /**
   * A way to open a pipe.
   *
   * @param account of its first hop
   * @param withdrawn whether streams must not use this pipe while they have another one
   */
  record Way(Outlet outlet, PipeAccount account, boolean withdrawn) {}

  /**
   * Calls {@code changed}, on any thread, when the ways may have changed, until {@link #unwatch}.
   */
  void watch(Runnable changed);

  void unwatch(Runnable changed);
}
