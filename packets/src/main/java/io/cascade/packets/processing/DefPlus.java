package io.cascade.packets.processing;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TcpRewrite;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
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
  private final Turns turns;
  private final AckView view = new AckView();
  private final Scoreboard board = new Scoreboard();
  private final PipeSet pipes;

  private boolean sackSeen;

  /** What the sender was told last to be held behind gaps. */
  private List<SackBlock> told = List.of();

  private long filtered;
  private long retransmissions;

  public DefPlus(PipeSet pipes) {
    this.pipes = pipes;
    this.def = new Def(pipes);
    this.turns = new Turns(pipes);
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
    Pipe pipe = knows() ? chosen(again, nowNanos) : chosen(byDef);
    retransmissions += again ? 1 : 0;
    board.sent(packet, again, pipe, nowNanos);
    return new Operation.Deliver(pipe.id());
  }

  private boolean knows() {
    return sackSeen && !board.overflowed();
  }

  /** What is new goes in turn, what is sent again by the quickest pipe, as long as they deliver. */
  private Pipe chosen(boolean again, long nowNanos) {
    if (again) {
      List<Pipe> heard =
          pipes.usable().stream().filter(pipe -> board.isHeard(pipe, nowNanos)).toList();
      return heard.isEmpty() ? pipes.quickest() : Pipes.quickest(heard);
    }
    for (int i = 0; i < pipes.usable().size(); i++) {
      Pipe pipe = turns.next();
      if (board.mayCarry(pipe, nowNanos)) {
        return pipe;
      }
    }
    return turns.next();
  }

  private Pipe chosen(Operation byDef) {
    if (byDef instanceof Operation.Deliver(PipeId id)) {
      for (Pipe pipe : pipes.members()) {
        if (pipe.id().equals(id)) {
          return pipe;
        }
      }
    }
    return pipes.quickest();
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
    board.acknowledged(packet.acknowledgment(), blocks, nowNanos);
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
