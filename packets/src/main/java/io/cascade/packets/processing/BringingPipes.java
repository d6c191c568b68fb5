package io.cascade.packets.processing;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import java.util.List;

/**
 * Pipes that have brought packets of a connection lately. What has no data is not acknowledged, so
 * an end that only receives knows by nothing else which pipes are cut.
 */
final class BringingPipes {
  /** Less than the least time-out of a sender (Linux: 200 ms), more than most gaps of a burst. */
  private static final long LATELY_NANOS = 150_000_000L;

  private final PipeSet pipes;
  private final boolean[] brought = new boolean[Pipes.MOST];
  private final long[] broughtNanos = new long[Pipes.MOST];

  BringingPipes(PipeSet pipes) {
    this.pipes = pipes;
  }

  void brought(PipeId by, long nowNanos) {
    brought[by.number()] = true;
    broughtNanos[by.number()] = nowNanos;
  }

  /** The quickest of those that brought something lately; the quickest of all where none did. */
  Pipe quickest(long nowNanos) {
    List<Pipe> some = pipes.usable().stream().filter(pipe -> isRecent(pipe, nowNanos)).toList();
    return some.isEmpty() ? pipes.quickest() : Pipes.quickest(some);
  }

  private boolean isRecent(Pipe pipe, long nowNanos) {
    int number = pipe.id().number();
    return brought[number] && nowNanos - broughtNanos[number] <= LATELY_NANOS;
  }
}
