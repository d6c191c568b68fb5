package io.cascade.packets.processing;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import java.util.ArrayList;
import java.util.List;

/**
 * DEF for receivers with SACK. Their blocks say which packets have arrived, so nothing is
 * estimated: the sender is told what it would hear if a combiner stood before the receiver.
 * Duplicate acknowledgments that only reordering caused are dropped, and blocks behind a gap that
 * may still be filled are taken out of those that pass; the rest is said anew from the {@link
 * Scoreboard}, so what dropped acknowledgments said is not lost. Pipes stay in use while the sender
 * recovers.
 *
 * <p>Until a SACK block is seen, and without SACK for good, it does what {@link Def} does.
 */
public final class DefPlus implements DataAckProcessor {
  private final Def def;
  private final AckView view = new AckView();
  private final Scoreboard board = new Scoreboard(HeardPipes.USUAL_TRIES_NANOS);
  private final PipeSet pipes;
  private final HeardPipes heard;

  private boolean sackSeen;

  /** Blocks behind gaps of which the sender was told last. */
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
    return sackSeen && !board.overflowed();
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
    sackSeen |= !blocks.isEmpty();
    AckView.Ack kind = view.acknowledged(packet);
    heard.acknowledged(packet, nowNanos);
    if (!knows()) {
      return byDef;
    }
    List<SackBlock> visible = board.visibleBlocks(nowNanos);
    boolean ofOld = !blocks.isEmpty() && board.isBelowAcknowledged(blocks.getFirst());
    if (kind == AckView.Ack.DUPLICATE && !ofOld && visible.equals(told)) {
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

  @Override
  public ProcessorCounts counts() {
    long byDef = sackSeen ? 0 : def.counts().filteredAcks();
    return new ProcessorCounts(filtered + byDef, retransmissions, 0, 0, 0);
  }
}
