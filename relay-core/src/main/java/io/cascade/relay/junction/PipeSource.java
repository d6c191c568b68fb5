package io.cascade.relay.junction;

import io.cascade.relay.stream.Outlet;
import org.jspecify.annotations.Nullable;

/**
 * Ways on which a segment's pipes begin, as they are now: when a relay was given other keys, later
 * pipes of the streams that run use those. Thread-safe.
 */
public interface PipeSource {
  /** Number of pipes of the segment. */
  int count();

  /**
   * The way by which a pipe begins.
   *
   * @param index counted from 0
   * @return null where none can be had now
   */
  @Nullable Way at(int index);

  /**
   * The beginning of a pipe.
   *
   * @param account of its first hop
   * @param withdrawn whether streams do without this pipe as long as they have another one
   */
  record Way(Outlet outlet, PipeAccount account, boolean withdrawn) {}

  /**
   * Has a stream told, on any thread and until {@link #unwatch}, when the ways may have changed.
   */
  void watch(Runnable changed);

  void unwatch(Runnable changed);
}
