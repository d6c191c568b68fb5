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
 * The pipes of a connection that deliver, according to its receiver's acknowledgments. If a path
 * fails beyond the device, there is no other indication. A pipe that delivers nothing gets a packet
 * from time to time.
 */
final class HeardPipes {
  /** Time between packets that try a pipe if the loss of one costs little. */
  static final long USUAL_TRIES_NANOS = 1_000_000_000L;

  private final PipeSet pipes;
  private final Turns turns;
  private final Scoreboard board;

  HeardPipes(PipeSet pipes, Scoreboard board) {
    this.pipes = pipes;
    this.turns = new Turns(pipes);
    this.board = board;
  }

  /** Takes an acknowledgment's report of arrivals. */
  void acknowledged(TcpPacket packet, long nowNanos) {
    if (packet.ack()) {
      List<SackBlock> blocks = packet.options().sackBlocks();
      board.acknowledged(packet.acknowledgment(), blocks, nowNanos);
    }
  }

  /** A data packet was sent over a pipe, for the first time or again. */
  void sent(TcpPacket packet, boolean again, Pipe pipe, long nowNanos) {
    board.sent(packet, again, pipe, nowNanos);
  }

  /** The next delivering pipe in turn, for new data. */
  Pipe next(long nowNanos) {
    for (int i = 0; i < pipes.usable().size(); i++) {
      Pipe pipe = turns.next();
      if (board.mayCarry(pipe, nowNanos)) {
        return pipe;
      }
    }
    return turns.next();
  }

  /** Pipes that may carry new data; all of them if none delivers. */
  List<Pipe> forNew(long nowNanos) {
    List<Pipe> some =
        pipes.usable().stream().filter(pipe -> board.mayCarry(pipe, nowNanos)).toList();
    return some.isEmpty() ? pipes.usable() : some;
  }

  /**
   * The pipe for a retransmission: the fastest of those that deliver, preferably one that has
   * delivered something sent later, and none on which another retransmission has failed. The
   * knowledge of which pipes deliver may be wrong, and nothing corrects it if only this packet is
   * in flight: then a pipe other than its last one is used.
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
