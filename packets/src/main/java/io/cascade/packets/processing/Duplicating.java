package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;

/**
 * Each data packet over every pipe: against loss, not for rate. The receiver uses the first copy.
 */
public final class Duplicating implements DataAckProcessor {
  private final PipeSet pipes;

  public Duplicating(PipeSet pipes) {
    this.pipes = pipes;
  }

  @Override
  public Operation outbound(TcpPacket packet, long nowNanos) {
    return packet.payloadLength() > 0
        ? new Operation.Duplicate(pipes.usable().stream().map(Pipe::id).toList())
        : new Operation.Deliver(pipes.quickest().id());
  }

  @Override
  public Operation inbound(TcpPacket packet, PipeId from, long nowNanos) {
    return new Operation.DeliverNear();
  }
}
