package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;

/**
 * Each data packet over the next pipe, whatever its delay. The baseline for comparison with DEF.
 */
public final class RoundRobin implements DataAckProcessor {
  private final Turns turns;

  public RoundRobin(PipeSet pipes) {
    this.turns = new Turns(pipes);
  }

  @Override
  public Operation outbound(TcpPacket packet, long nowNanos) {
    Pipe pipe = packet.payloadLength() > 0 ? turns.next() : turns.quickest();
    return new Operation.Deliver(pipe.id());
  }

  @Override
  public Operation inbound(TcpPacket packet, PipeId from, long nowNanos) {
    return new Operation.DeliverNear();
  }
}
