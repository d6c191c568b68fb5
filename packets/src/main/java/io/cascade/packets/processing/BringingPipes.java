package io.cascade.packets.processing;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import java.util.ArrayList;
import java.util.List;

/**
 * Pipes over which packets of a connection have arrived recently. Packets without data are not
 * acknowledged, so an end that only receives has no other way to learn which pipes fail, nor which
 * ones the other end uses.
 */
final class BringingPipes {
  /** Less than the least time-out of a sender (Linux: 200 ms), more than most gaps in a burst. */
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

  /** The fastest of those with recent arrivals; the fastest of all if there are none. */
  Pipe quickest(long nowNanos) {
    List<Pipe> some =
        pipes.usable().stream().filter(pipe -> isRecent(pipe.id().number(), nowNanos)).toList();
    return some.isEmpty() ? pipes.quickest() : Pipes.quickest(some);
  }

  /**
   * The pipes over which packets may arrive: those that this end uses, and those over which the
   * other end has sent recently. It may continue with one that was withdrawn here.
   */
  List<Pipe> all(long nowNanos) {
    List<Pipe> usable = pipes.usable();
    List<Pipe> found = new ArrayList<>(usable);
    for (int i = 0; i < Pipes.MOST; i++) {
      if (isRecent(i, nowNanos)) {
        Pipe pipe = pipes.at(new PipeId(i));
        if (pipe.up() && !usable.contains(pipe)) {
          found.add(pipe);
        }
      }
    }
    return found;
  }

  private boolean isRecent(int pipe, long nowNanos) {
    return brought[pipe] && nowNanos - broughtNanos[pipe] <= LATELY_NANOS;
  }
}
