package io.cascade.packets.processing;

import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeSet;
import java.util.List;

/** Selects the usable pipes of a connection in turn. */
final class Turns {
  private final PipeSet pipes;
  private int turn;

  Turns(PipeSet pipes) {
    this.pipes = pipes;
  }

  Pipe next() {
    List<Pipe> usable = pipes.usable();
    Pipe pipe = usable.get(turn % usable.size());
    turn = (turn + 1) % usable.size();
    return pipe;
  }

  Pipe quickest() {
    return pipes.quickest();
  }
}
