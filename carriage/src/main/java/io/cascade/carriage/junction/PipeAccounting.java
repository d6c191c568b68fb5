package io.cascade.carriage.junction;

import io.cascade.carriage.transport.Connection;
import io.cascade.segments.PipeReport;
import io.cascade.segments.PipeState;
import org.jspecify.annotations.Nullable;

/** Receives a pipe's counts and events. Called on its junction's event loop. */
public interface PipeAccounting {
  /** Keeps no account. */
  PipeAccounting NONE = new PipeAccounting() {};

  /** The pipe now carries the stream. */
  default void begins(Connection connection) {}

  /** The pipe has ended; its connection is about to be closed. */
  default void ends(Connection connection) {}

  /** It ended while its stream still needed it. Called after {@link #ends}. */
  default void lost(String why) {}

  /** The stream no longer uses it. */
  default void withdrawn(String why) {}

  /** The state that the stream gives it has changed. */
  default void is(PipeState state) {}

  /**
   * There is a new measurement.
   *
   * @param before the last measurement; null if there was none
   * @param now null if the pipe has ended
   */
  default void measured(@Nullable PipeReport before, @Nullable PipeReport now) {}

  default void sent(long bytes) {}

  default void received(long bytes) {}
}
