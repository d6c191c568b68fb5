package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import java.util.List;

/** Operation on a packet, one of the source's four, its section 3.7. */
public sealed interface Operation {
  /** The packet goes on by a pipe. */
  record Deliver(PipeId pipe) implements Operation {}

  /** The packet goes on to the near side. */
  record DeliverNear() implements Operation {}

  /** Another packet goes on to the near side in its place: the same, said differently. */
  record DeliverInstead(TcpPacket packet) implements Operation {}

  /** A copy of the packet goes on by each of these pipes. */
  record Duplicate(List<PipeId> pipes) implements Operation {
    public Duplicate {
      pipes = List.copyOf(pipes);
    }
  }

  /** The processor keeps the packet, and hands it out when it is due. */
  record Delay() implements Operation {}

  /** The packet ends here. */
  record Drop() implements Operation {}
}
