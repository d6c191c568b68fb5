package io.cascade.packets.processing;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * DEF for receivers with SACK. Their blocks show which packets have arrived, so nothing is
 * estimated: the sender is told what it would be told if a combiner preceded the receiver.
 * Duplicate acknowledgments caused only by reordering are dropped, and blocks after a gap that may
 * still be filled are removed from the others. The rest is derived from the {@link Scoreboard}, so
 * that the content of dropped acknowledgments is not lost. Pipes stay in use while the sender
 * recovers.
 *
 * <p>Until a SACK block is seen, and always without SACK, it works like {@link Def}.
 */
public final class DefPlus implements DataAckProcessor {
  private final Def def;
  private final AckView view = new AckView();
  private final Scoreboard board = new Scoreboard(Def.BETWEEN_TRIES_NANOS);
  private final PipeSet pipes;
  private final HeardPipes heard;

  private boolean sackSeen;

  /** The latest acknowledgment if it has blocks: more of its content may have to be reported. */
  private @Nullable TcpPacket latest;

  /** Time up to which losses were determined. */
  private long lossNanos = Long.MIN_VALUE;

  /** Blocks after gaps that were last reported to the sender. */
  private List<SackBlock> told = List.of();

  private long filtered;
  private long retransmissions;

  public DefPlus(PipeSet pipes) {
    this.pipes = pipes;
    this.heard = new HeardPipes(pipes, board);
    this.def = new Def(pipes, new HeardPipes(pipes, board));
  }

  @Override
  public Operation outbound(TcpPacket packet, long nowNanos) {
    Operation byDef = def.outbound(packet, nowNanos);
    if (packet.payloadLength() == 0) {
      return byDef;
    }
    AckView.Data data = view.sent(packet);
    if (data == AckView.Data.KEEP_ALIVE) {
      return byDef;
    }
    boolean again = data == AckView.Data.RETRANSMITTED;
    Pipe pipe = chosen(byDef);
    if (knows()) {
      pipe = again ? heard.quickest(packet, nowNanos) : heard.next(nowNanos);
    }
    retransmissions += again ? 1 : 0;
    heard.sent(packet, again, pipe, nowNanos);
    return new Operation.Deliver(pipe.id());
  }

  private boolean knows() {
    return sackSeen && board.hasBegun() && !board.overflowed();
  }

  private Pipe chosen(Operation byDef) {
    return byDef instanceof Operation.Deliver(PipeId id) ? pipes.at(id) : pipes.quickest();
  }

  @Override
  public Operation inbound(TcpPacket packet, PipeId from, long nowNanos) {
    Operation byDef = def.inbound(packet, from, nowNanos);
    if (!packet.ack()) {
      return byDef;
    }
    List<SackBlock> blocks = packet.options().sackBlocks();
    if (!sackSeen && !blocks.isEmpty()) {
      sackSeen = true;
      board.triesEach(HeardPipes.USUAL_TRIES_NANOS); // report losses
    }
    AckView.Ack kind = view.acknowledged(packet);
    heard.acknowledged(packet, nowNanos);
    latest = packet.isPureAck() && !blocks.isEmpty() ? packet : null;
    if (!knows()) {
      return byDef;
    }
    List<SackBlock> visible = board.visibleBlocks(lossNanos);
    boolean ofOld = !blocks.isEmpty() && board.isBelowAcknowledged(blocks.getFirst());
    // Without blocks it answers a window probe: out-of-order arrivals produce blocks.
    boolean isByOrder = kind == AckView.Ack.DUPLICATE && !blocks.isEmpty() && !ofOld;
    if (isByOrder && visible.equals(told)) {
      filtered++;
      return new Operation.Drop();
    }
    told = visible;
    if (blocks.isEmpty()) {
      return new Operation.DeliverNear();
    }
    List<SackBlock> say = new ArrayList<>(visible);
    if (ofOld) {
      say.addFirst(blocks.getFirst());
    }
    return new Operation.DeliverInstead(TcpRewrite.of(packet).sackBlocks(say).packet());
  }

  /**
   * Reports losses of packets that took longer than their pipe ever takes, since no acknowledgment
   * may follow.
   */
  @Override
  public void release(long nowNanos, Consumer<TcpPacket> near) {
    lossNanos = nowNanos;
    TcpPacket again = latest;
    if (again == null || !knows()) {
      return;
    }
    List<SackBlock> visible = board.visibleBlocks(nowNanos);
    if (!visible.equals(told)) {
      told = visible;
      near.accept(TcpRewrite.of(again).sackBlocks(visible).packet());
    }
  }

  @Override
  public long nextNanos() {
    return latest != null && knows() ? board.nextLossNanos() : NEVER;
  }

  @Override
  public ProcessorCounts counts() {
    long byDef = sackSeen ? 0 : def.counts().filteredAcks();
    return new ProcessorCounts(filtered + byDef, retransmissions, 0, 0, 0);
  }
}
