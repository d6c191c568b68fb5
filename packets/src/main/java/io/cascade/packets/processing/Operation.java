package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import java.util.List;

/** Operation on a packet: one of the four in the source's section 3.7. */
public sealed interface Operation {
  /** Send the packet over a pipe. */
  record Deliver(PipeId pipe) implements Operation {}

  /** Pass the packet on to the near side. */
  record DeliverNear() implements Operation {}

  /** Pass another packet on to the near side in its place, with rewritten content. */
  record DeliverInstead(TcpPacket packet) implements Operation {}

  /** Send a copy of the packet over each of these pipes. */
  record Duplicate(List<PipeId> pipes) implements Operation {
    public Duplicate {
      pipes = List.copyOf(pipes);
    }
  }

  /** The processor keeps the packet, and passes it on when it is due. */
  record Delay() implements Operation {}

  /** Drop the packet. */
  record Drop() implements Operation {}
}
