package io.cascade.carriage.junction;

import io.cascade.carriage.transport.Connection;
import io.cascade.segments.PipeReport;
import io.cascade.segments.PipeState;
import org.jspecify.annotations.Nullable;

/** Is told what a pipe carries and what becomes of it. On its junction's event loop. */
public interface PipeAccounting {
  /** Keeps no account. */
  PipeAccounting NONE = new PipeAccounting() {};

  /** The pipe carries the stream from now on. */
  default void begins(Connection connection) {}

  /** The pipe is no more; its connection is about to be closed. */
  default void ends(Connection connection) {}

  /** It was no more while its stream needed it. After {@link #ends}. */
  default void lost(String why) {}

  /** The stream does without it from now on. */
  default void withdrawn(String why) {}

  /** The stream's trust in it changes. */
  default void is(PipeState state) {}

  /**
   * It was measured anew.
   *
   * @param before the last measurement; null where there was none
   * @param now null where the pipe is no more
   */
  default void measured(@Nullable PipeReport before, @Nullable PipeReport now) {}

  default void sent(long bytes) {}

  default void received(long bytes) {}
}
