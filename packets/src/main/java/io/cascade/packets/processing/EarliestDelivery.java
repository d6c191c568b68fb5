package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import java.util.List;

/**
 * Earliest delivery path first (Chebrolu, Raman and Rao, WINET 2005): each packet over the pipe
 * that will deliver it first, by the pipes' delays and rates and by what was sent over them.
 * Retransmissions use the fastest pipe, since the receiver waits for nothing else. Only pipes that
 * deliver are used. The sender of the packets counts what was sent over the pipes.
 */
final class EarliestDelivery {
  private final HeardPipes heard;
  private final BringingPipes bringing;
  private final AckView view = new AckView();

  EarliestDelivery(PipeSet pipes) {
    this.heard = new HeardPipes(pipes, new Scoreboard(HeardPipes.USUAL_TRIES_NANOS));
    this.bringing = new BringingPipes(pipes);
  }

  Operation outbound(TcpPacket packet, long nowNanos) {
    if (packet.payloadLength() == 0) {
      return new Operation.Deliver(bringing.quickest(nowNanos).id());
    }
    AckView.Data data = view.sent(packet);
    boolean again = data != AckView.Data.NEW;
    Pipe pipe =
        again ? heard.quickest(packet, nowNanos) : earliest(packet.bytes().length, nowNanos);
    if (data != AckView.Data.KEEP_ALIVE) {
      heard.sent(packet, again, pipe, nowNanos);
    }
    return new Operation.Deliver(pipe.id());
  }

  /** Takes a packet from the far side: what it acknowledges, and the pipe over which it arrived. */
  void inbound(TcpPacket packet, PipeId from, long nowNanos) {
    bringing.brought(from, nowNanos);
    heard.acknowledged(packet, nowNanos);
  }

  /** The best pipe with room; if none has room, the one that will have it first. */
  private Pipe earliest(int bytes, long nowNanos) {
    List<Pipe> usable = heard.forNew(nowNanos);
    Pipe best = usable.getFirst();
    for (Pipe pipe : usable) {
      boolean room = pipe.hasRoom(bytes, nowNanos);
      boolean bestRoom = best.hasRoom(bytes, nowNanos);
      if (room == bestRoom
          ? pipe.arrivalNanos(bytes, nowNanos) < best.arrivalNanos(bytes, nowNanos)
          : room) {
        best = pipe;
      }
    }
    return best;
  }
}
