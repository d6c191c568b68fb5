package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import java.util.function.Consumer;

/**
 * One end of a pair: splits outgoing packets, earliest delivery first, and combines incoming ones,
 * which the other end has split. The two exchange no information.
 */
public final class Pair implements DataAckProcessor {
  private final EarliestDelivery splitter;
  private final Combiner combiner;

  public Pair(PipeSet pipes, HeldBudget budget) {
    this.splitter = new EarliestDelivery(pipes);
    this.combiner = new Combiner(pipes, budget);
  }

  @Override
  public Operation outbound(TcpPacket packet, long now) {
    if (packet.syn() && packet.ack()) {
      combiner.start(packet.acknowledgment());
    }
    return splitter.outbound(packet, now);
  }

  @Override
  public Operation inbound(TcpPacket packet, PipeId from, long now) {
    splitter.inbound(packet, from, now);
    return combiner.inbound(packet, from, now);
  }

  @Override
  public void handOut(Consumer<TcpPacket> near) {
    combiner.handOut(near);
  }

  @Override
  public void release(long now, Consumer<TcpPacket> near) {
    combiner.release(now, near);
  }

  @Override
  public void flush(Consumer<TcpPacket> near) {
    combiner.flush(near);
  }

  @Override
  public long nextNanos() {
    return combiner.nextNanos();
  }

  @Override
  public ProcessorCounts counts() {
    return combiner.counts();
  }
}
