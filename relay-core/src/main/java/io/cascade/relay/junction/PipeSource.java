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
   * The outlet of a pipe.
   *
   * @param index counted from 0
   * @return null where no pipes can be had any more
   */
  @Nullable Outlet at(int index);

  /** The account of a pipe's first hop. */
  PipeAccount account(int index);
}
