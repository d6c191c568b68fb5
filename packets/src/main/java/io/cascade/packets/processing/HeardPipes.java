package io.cascade.packets.processing;

import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The pipes of a connection that deliver, as its receiver's acknowledgments say. Where a path is
 * cut behind a device, nobody else tells. A pipe that delivers nothing gets a packet from time to
 * time.
 */
final class HeardPipes {
  /** Time between packets that try a pipe, where the loss of one costs little. */
  static final long USUAL_TRIES_NANOS = 1_000_000_000L;

  private final PipeSet pipes;
  private final Turns turns;
  private final Scoreboard board;

  HeardPipes(PipeSet pipes, Scoreboard board) {
    this.pipes = pipes;
    this.turns = new Turns(pipes);
    this.board = board;
  }

  /** Takes what an acknowledgment says has arrived. */
  void acknowledged(TcpPacket packet, long nowNanos) {
    if (packet.ack()) {
      List<SackBlock> blocks = packet.options().sackBlocks();
      board.acknowledged(packet.acknowledgment(), blocks, nowNanos);
    }
  }

  /** A data packet was sent by a pipe, for the first time or again. */
  void sent(TcpPacket packet, boolean again, Pipe pipe, long nowNanos) {
    board.sent(packet, again, pipe, nowNanos);
  }

  /** The next one in turn that delivers, for something new. */
  Pipe next(long nowNanos) {
    for (int i = 0; i < pipes.usable().size(); i++) {
      Pipe pipe = turns.next();
      if (board.mayCarry(pipe, nowNanos)) {
        return pipe;
      }
    }
    return turns.next();
  }

  /** Those that may carry something new; all of them where none delivers. */
  List<Pipe> forNew(long nowNanos) {
    List<Pipe> some =
        pipes.usable().stream().filter(pipe -> board.mayCarry(pipe, nowNanos)).toList();
    return some.isEmpty() ? pipes.usable() : some;
  }

  /**
   * The pipe for what is sent again: the quickest of those that deliver, at best one that has
   * delivered something sent later, and none whose copy of another packet had to be sent again.
   * Which ones deliver may be wrong, and where only this packet is under way nothing corrects it:
   * then another one than carried it last.
   */
  Pipe quickest(TcpPacket packet, long nowNanos) {
    Pipe last = board.carrier(packet);
    Predicate<Pipe> another = pipe -> last == null || !pipe.id().equals(last.id());
    Predicate<Pipe> later = pipe -> board.hasDeliveredAfter(packet, pipe);
    Predicate<Pipe> trusted =
        pipe ->
            board.isHeard(pipe, nowNanos) && !board.isDoubted(pipe) && !board.fails(packet, pipe);
    return quickest(trusted.and(later))
        .or(() -> quickest(trusted))
        .or(() -> quickest(pipe -> board.isHeard(pipe, nowNanos) && another.test(pipe)))
        .or(() -> quickest(another))
        .orElseGet(pipes::quickest);
  }

  private Optional<Pipe> quickest(Predicate<Pipe> which) {
    List<Pipe> some = pipes.usable().stream().filter(which).toList();
    return some.isEmpty() ? Optional.empty() : Optional.of(Pipes.quickest(some));
  }
}
