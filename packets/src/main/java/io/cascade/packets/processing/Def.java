package io.cascade.packets.processing;

import io.cascade.packets.header.Sequence;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.pipes.Pipe;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSet;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.processing.DefState.Event;

/**
 * Duplicate acknowledgment estimation and filtering (DEF) as published: Ayar, Rathke and Budzisz,
 * TKN-12-001, chapter 5. Works alone, at the sender's side of the pipes: from the pipes' round
 * trips it estimates how many duplicate acknowledgments their differences will cause, and drops
 * that many.
 *
 * <p>Four rules are not in the source. A packet is a retransmission if it begins before the end of
 * what was sent, so that a retransmission of the last packet is detected, too. Keep-alive probes
 * are no retransmissions. Pipes that deliver nothing are left out ({@link HeardPipes}).
 * Retransmissions are sent over the fastest pipe that has delivered something sent later, if one is
 * known; the source uses the fastest of all.
 */
public final class Def implements DataAckProcessor {
  /**
   * Long, since acknowledgments of a loss on a tried pipe may be filtered, so that the sender
   * notices it by a time-out.
   */
  static final long BETWEEN_TRIES_NANOS = 10_000_000_000L;

  private final PipeSet pipes;
  private final HeardPipes heard;
  private final boolean isAlone;
  private final AckView view = new AckView();
  private final Scheduled[] scheduled = new Scheduled[Pipes.MOST];

  private DefState state = DefState.NO_LOSS;
  private long estimatedDuplicates;
  private long checkpointNanos;
  private int checkpointSequence;
  private long filtered;
  private long retransmissions;

  /** Last data sent over a pipe: {@code highest_data_seq} and {@code highest_data_time}. */
  private static final class Scheduled {
    private boolean used;
    private int highestSequence;
    private long arrivalNanos;
  }

  public Def(PipeSet pipes) {
    this(pipes, new HeardPipes(pipes, new Scoreboard(BETWEEN_TRIES_NANOS)), true);
  }

  /**
   * @param heard updated by the caller with what is sent and acknowledged
   */
  Def(PipeSet pipes, HeardPipes heard) {
    this(pipes, heard, false);
  }

  private Def(PipeSet pipes, HeardPipes heard, boolean isAlone) {
    this.pipes = pipes;
    this.heard = heard;
    this.isAlone = isAlone;
    for (int i = 0; i < scheduled.length; i++) {
      scheduled[i] = new Scheduled();
    }
  }

  @Override
  public Operation outbound(TcpPacket packet, long nowNanos) {
    if (packet.payloadLength() == 0) {
      return new Operation.Deliver(pipes.quickest(nowNanos).id());
    }
    AckView.Data data = view.sent(packet);
    if (data == AckView.Data.KEEP_ALIVE) {
      return new Operation.Deliver(pipes.quickest(nowNanos).id());
    }
    if (data == AckView.Data.RETRANSMITTED && state == DefState.NO_LOSS) {
      estimatedDuplicates = 0;
      checkpointNanos = latestArrival(nowNanos);
      checkpointSequence = view.highestEnd();
      retransmissions++;
      state = state.on(Event.RETRANSMITTED);
    }
    Pipe pipe = state == DefState.NO_LOSS ? heard.next(nowNanos) : heard.quickest(packet, nowNanos);
    if (isAlone) {
      heard.sent(packet, data == AckView.Data.RETRANSMITTED, pipe, nowNanos);
    }
    schedule(packet, pipe, nowNanos);
    return new Operation.Deliver(pipe.id());
  }

  private void schedule(TcpPacket packet, Pipe pipe, long nowNanos) {
    int sequence = packet.sequence();
    long arrivalNanos = nowNanos + pipe.properties().roundTripNanos();
    if (state == DefState.NO_LOSS && overtakes(sequence, arrivalNanos)) {
      estimatedDuplicates++;
    }
    Scheduled own = scheduled[pipe.id().number()];
    if (!own.used || Sequence.after(sequence, own.highestSequence)) {
      own.used = true;
      own.highestSequence = sequence;
      own.arrivalNanos = arrivalNanos;
    }
  }

  /** Whether data that was sent before, over another pipe, will arrive after this packet. */
  private boolean overtakes(int sequence, long arrivalNanos) {
    for (Scheduled before : scheduled) {
      if (before.used
          && Sequence.after(sequence, before.highestSequence)
          && arrivalNanos < before.arrivalNanos) {
        return true;
      }
    }
    return false;
  }

  private long latestArrival(long nowNanos) {
    long latest = nowNanos;
    for (Scheduled each : scheduled) {
      if (each.used) {
        latest = Math.max(latest, each.arrivalNanos);
      }
    }
    return latest;
  }

  @Override
  public Operation inbound(TcpPacket packet, PipeId from, long nowNanos) {
    if (!packet.ack()) {
      return new Operation.DeliverNear();
    }
    if (isAlone) {
      heard.acknowledged(packet, nowNanos);
    }
    return switch (view.acknowledged(packet)) {
      case NEW -> {
        if (state == DefState.RETRANSMISSION && recovered(nowNanos)) {
          state = state.on(Event.RECOVERED);
        }
        yield new Operation.DeliverNear();
      }
      case DUPLICATE -> {
        if (estimatedDuplicates == 0) {
          yield new Operation.DeliverNear();
        }
        estimatedDuplicates--;
        filtered++;
        yield new Operation.Drop();
      }
      case OTHER -> new Operation.DeliverNear();
    };
  }

  /** The second and the third criterion; the first is that the acknowledgment is a new one. */
  private boolean recovered(long nowNanos) {
    return nowNanos >= checkpointNanos && !Sequence.before(view.highestAck(), checkpointSequence);
  }

  DefState state() {
    return state;
  }

  long estimatedDuplicates() {
    return estimatedDuplicates;
  }

  @Override
  public ProcessorCounts counts() {
    return new ProcessorCounts(filtered, retransmissions, 0, 0, 0);
  }
}
