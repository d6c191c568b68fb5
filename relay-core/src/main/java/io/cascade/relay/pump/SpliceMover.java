package io.cascade.relay.pump;

import io.cascade.carriage.transport.Connection;
import io.cascade.carriage.transport.EpollRegistration;
import io.cascade.carriage.transport.KernelPipe;
import io.cascade.carriage.transport.UnsentLimit;
import io.cascade.relay.pump.SpliceState.Event;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Moves bytes from socket to socket through a pipe in the kernel. Netty keeps managing the
 * connections; this class replaces only its reading of the source and its writing to the sink.
 *
 * <p>{@link SpliceState} is its state machine. A pipe is held only while it contains bytes, and
 * nothing is read meanwhile: bytes that the sink does not accept at once stay in the source's
 * socket instead of being moved in small pieces.
 *
 * <p>Once the sink has not accepted a whole piece, its {@link UnsentLimit} is raised to what the
 * direction may hold. A smaller limit, half full of bytes that can only be sent after an
 * acknowledgement, would accept only a part of every piece: docs/how/data-plane.md. Short streams
 * never reach this point.
 */
final class SpliceMover implements Mover {
  private static final Logger LOG = Logger.getLogger(SpliceMover.class.getName());
  private static final AtomicBoolean TOLD = new AtomicBoolean();
  private static final int MOST_READ = 1 << 20; // more cost twice as much: docs/how/data-plane.md

  /** Number of consecutive messages after which a direction no longer counts as bulk. */
  private static final int MESSAGES = 8;

  private final EpollRegistration source;
  private final EpollRegistration sink;
  private final Connection to;
  private final Account account;
  private final boolean onlyBulk;
  private final Host host;
  private SpliceState state = SpliceState.MOVING;
  private @Nullable KernelPipe pipe;
  private boolean sinkHoldsAll;
  private int messages;

  private SpliceMover(
      EpollRegistration source,
      EpollRegistration sink,
      Connection to,
      Account account,
      boolean onlyBulk,
      Host host) {
    this.source = source;
    this.sink = sink;
    this.to = to;
    this.account = account;
    this.onlyBulk = onlyBulk;
    this.host = host;
  }

  /** Whether this machine can splice at all. */
  static boolean isPossible() {
    return KernelPipe.missing() == null;
  }

  /**
   * Takes over reading and writing. Netty must hold nothing that it has read from the source or not
   * yet written to the sink.
   *
   * @param to the connection that {@code sink} belongs to
   * @param onlyBulk whether messages, and bytes that the loop has time to copy, are left to copying
   */
  static SpliceMover begin(
      EpollRegistration source,
      EpollRegistration sink,
      Connection to,
      Account account,
      boolean onlyBulk,
      Host host) {
    SpliceMover splice = new SpliceMover(source, sink, to, account, onlyBulk, host);
    source.takeReading(splice::readable);
    sink.takeWriting(splice::push);
    return splice;
  }

  @Override
  public void readOn() {
    if (state == SpliceState.MOVING && pipe == null && host.room() >= Pump.LEAST_READ) {
      source.awaitReadable(true);
    }
  }

  /** The loop is lightly loaded again, or carries messages: small pieces are no bulk. */
  private boolean isCopyingBetter() {
    return onlyBulk
        && (messages >= MESSAGES
            || account.quantum().bytes() < Pump.BULK_READ
            || source.isLoopLight());
  }

  /** Reads no more from the source; splicing ends once what is held was written. */
  void leave() {
    returnSource(false);
    overIfEmpty();
  }

  @Override
  public void stop() {
    if (state == SpliceState.OVER) {
      return;
    }
    move(Event.STOP);
    source.returnReading();
    sink.returnWriting();
    KernelPipe held = pipe;
    if (held != null) {
      pipe = null;
      account.discharge((int) held.held());
      held.giveBack();
    }
  }

  private void readable(boolean broken) {
    if (state != SpliceState.MOVING || !source.isOpen()) {
      return;
    }
    if (!sink.isOpen()) {
      source.awaitReadable(false);
      return;
    }
    if (isCopyingBetter()) {
      leave();
      return;
    }
    long room = pipe == null ? host.room() : 0;
    if (room < Pump.LEAST_READ) {
      if (broken) {
        returnSource(true); // it would not be reported again once there is room
      } else {
        source.awaitReadable(false);
      }
      return;
    }
    KernelPipe through = pipe();
    if (through == null) {
      returnSource(true);
      overIfEmpty();
      return;
    }
    int most = (int) Math.min(room, MOST_READ);
    long moved;
    account.reserve(most);
    try {
      moved = through.fill(source.descriptor(), most);
    } catch (IOException e) {
      account.reserve(0);
      giveBackIfEmpty();
      host.sourceFailed(e);
      return;
    }
    took((int) Math.max(moved, 0));
    if (moved > 0) {
      push();
    } else if (moved == KernelPipe.END) {
      returnSource(true);
      overIfEmpty();
    } else {
      leave(); // splice(2) stops before an urgent byte, and Netty's read does not
    }
  }

  private void took(int bytes) {
    account.reserve(0);
    if (bytes > 0) {
      messages = bytes <= ReadQuantum.LONGEST_MESSAGE ? messages + 1 : 0;
      account.came(bytes);
      account.charge(bytes);
      host.took();
    }
  }

  /** Writes what the sink accepts. */
  private void push() {
    KernelPipe from = pipe;
    if (state == SpliceState.OVER || from == null || !sink.isOpen()) {
      return;
    }
    long moved;
    try {
      moved = from.drain(sink.descriptor());
    } catch (IOException e) {
      host.sinkFailed(e);
      return;
    }
    if (from.held() > 0 && !sinkHoldsAll) {
      sinkHoldsAll = true;
      UnsentLimit.splicing(to, account.limit());
    }
    sink.awaitWritable(from.held() > 0);
    giveBackIfEmpty();
    if (moved > 0) {
      account.discharge((int) moved);
      host.gave((int) moved, true);
    }
    if (state != SpliceState.MOVING) {
      overIfEmpty();
    } else if (pipe == null) {
      readOn();
    } else {
      source.awaitReadable(false);
    }
  }

  private @Nullable KernelPipe pipe() {
    KernelPipe held = pipe;
    if (held == null) {
      try {
        held = KernelPipe.take();
      } catch (IOException e) {
        if (TOLD.compareAndSet(false, true)) {
          LOG.log(
              Level.WARNING,
              "no pipe to splice through ({0}): streams are copied instead",
              e.getMessage());
        }
        return null;
      }
      pipe = held;
    }
    return held;
  }

  private void giveBackIfEmpty() {
    KernelPipe held = pipe;
    if (held != null && held.held() == 0) {
      pipe = null;
      held.giveBack();
    }
  }

  /**
   * @param forGood whether the source has only its end or an error left, or no pipe is available
   */
  private void returnSource(boolean forGood) {
    if (state == SpliceState.MOVING) {
      move(Event.LEAVE);
      giveBackIfEmpty();
      source.returnReading();
      host.sourceReturned(forGood);
    }
  }

  private void overIfEmpty() {
    if (state == SpliceState.EMPTYING && pipe == null) {
      move(Event.EMPTIED);
      sink.returnWriting();
      if (sinkHoldsAll) {
        UnsentLimit.copying(to, account.limit());
      }
      host.over();
    }
  }

  private void move(Event event) {
    state = state.after(event);
  }
}
