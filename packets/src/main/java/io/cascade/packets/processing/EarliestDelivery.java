package io.cascade.packets.processing;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeSet;
import java.util.List;

/**
 * Earliest delivery path first (Chebrolu, Raman and Rao, WINET 2005): each packet by the pipe that
 * will deliver it first, by the pipes' delays and rates and by what they were given. What is sent
 * again goes by the quickest pipe: its receiver waits for nothing else.
 */
final class EarliestDelivery {
  private final PipeSet pipes;
  private final AckView view = new AckView();

  EarliestDelivery(PipeSet pipes) {
    this.pipes = pipes;
  }

  Operation outbound(TcpPacket packet, long nowNanos) {
    int bytes = packet.bytes().length;
    boolean fresh = packet.payloadLength() > 0 && view.sent(packet) == AckView.Data.NEW;
    Pipe pipe = fresh ? earliest(bytes, nowNanos) : pipes.quickest();
    pipe.sent(bytes, nowNanos);
    return new Operation.Deliver(pipe.id());
  }

  /** Among the pipes with room; where none has any, the one that would have it first. */
  private Pipe earliest(int bytes, long nowNanos) {
    List<Pipe> usable = pipes.usable();
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
