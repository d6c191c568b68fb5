package io.cascade.relay.pump;

import io.cascade.relay.transport.KernelPipe;
import io.cascade.relay.transport.Readiness;
import io.cascade.relay.transport.UnsentLimit;
import io.netty.channel.Channel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A direction while its bytes go from socket to socket through a pipe in the kernel. Netty keeps
 * the connections and everything else about them; only reading here and writing there are taken
 * over.
 *
 * <p>Life: {@link Phase#MOVING} → {@link Phase#LAST} (the source is Netty's again, for it has an
 * end or an error to tell, or for copying is better now; what is in the pipe still goes out) →
 * {@link Phase#OVER}. A pipe is held only while there is something in it, and nothing is read then:
 * what the sink does not take at once is rather left where it came from than moved in small pieces.
 *
 * <p>The sink's {@link UnsentLimit} is what the direction may hold as soon as it has not taken a
 * piece whole. Half full of what can only be sent when an acknowledgement comes, a smaller one
 * would take a piece of every piece: docs/data-plane.md. A short stream never comes so far.
 */
final class Splice {
  private static final Logger LOG = Logger.getLogger(Splice.class.getName());
  private static final AtomicBoolean TOLD = new AtomicBoolean();
  private static final int LEAST_READ = 2_048;
  private static final int MOST_READ = 1 << 20; // more cost twice as much: docs/data-plane.md

  private final Readiness source;
  private final Readiness sink;
  private final Channel to;
  private final long limit;
  private final Host host;
  private Phase phase = Phase.MOVING;
  private @Nullable KernelPipe pipe;
  private boolean sinkHoldsAll;

  /** The direction that this is a phase of. */
  interface Host {
    /** Whether its bytes had better be copied from now on. */
    boolean wouldRatherCopy();

    /** How many more bytes may be held. */
    long room();

    /** So many bytes at most will be held in a moment. */
    void takes(int most);

    /** So many were taken from the source and are held now; perhaps none. */
    void took(int bytes);

    /** So many bytes are the sink's. */
    void gave(int bytes);

    /**
     * The source is Netty's again. What it reads now comes behind what is held here.
     *
     * @param forGood whether it stays so: the source has only an end or an error left, or there are
     *     no pipes; otherwise copying is better for the time being
     */
    void sourceReturned(boolean forGood);

    /** Nothing is held any more and the sink is Netty's again. */
    void over();

    void sourceFailed(IOException cause);

    void sinkFailed(IOException cause);
  }

  enum Phase {
    MOVING,
    LAST,
    OVER
  }

  private Splice(Readiness source, Readiness sink, Channel to, long limit, Host host) {
    this.source = source;
    this.sink = sink;
    this.to = to;
    this.limit = limit;
    this.host = host;
  }

  /**
   * Takes over. Netty must hold nothing that it has read from the source or not yet written to the
   * sink.
   *
   * @param limit how many bytes the direction may hold
   * @return null where the transport is not epoll or the system has no splice
   */
  static @Nullable Splice begin(Channel from, Channel to, long limit, Host host) {
    if (KernelPipe.missing() != null) {
      return null;
    }
    Readiness source = Readiness.of(from);
    Readiness sink = Readiness.of(to);
    if (source == null || sink == null) {
      return null;
    }
    Splice splice = new Splice(source, sink, to, limit, host);
    source.takeReading(splice::readable);
    sink.takeWriting(splice::push);
    return splice;
  }

  /** There may be room again. */
  void readOn() {
    if (phase == Phase.MOVING && pipe == null && host.room() >= LEAST_READ) {
      source.awaitReadable(true);
    }
  }

  boolean isMoving() {
    return phase == Phase.MOVING;
  }

  /** Takes no more from the source; what is held goes out, and then this is over. */
  void leave() {
    returnSource(false);
    overIfEmpty();
  }

  /**
   * Over at once.
   *
   * @return how many bytes were held and are lost
   */
  long stop() {
    if (phase == Phase.OVER) {
      return 0;
    }
    phase = Phase.OVER;
    source.returnReading();
    sink.returnWriting();
    KernelPipe held = pipe;
    if (held == null) {
      return 0;
    }
    long lost = held.held();
    pipe = null;
    held.giveBack();
    return lost;
  }

  private void readable(boolean broken) {
    if (phase != Phase.MOVING || !source.isOpen()) {
      return;
    }
    if (!sink.isOpen()) {
      source.awaitReadable(false);
      return;
    }
    if (host.wouldRatherCopy()) {
      leave();
      return;
    }
    long room = pipe == null ? host.room() : 0;
    if (room < LEAST_READ) {
      if (broken) {
        returnSource(true); // nobody would tell it again once there is room
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
    host.takes(most);
    try {
      moved = through.fill(source.descriptor(), most);
    } catch (IOException e) {
      host.took(0);
      giveBackIfEmpty();
      host.sourceFailed(e);
      return;
    }
    host.took((int) Math.max(moved, 0));
    if (moved > 0) {
      push();
    } else if (moved == KernelPipe.END) {
      returnSource(true);
      overIfEmpty();
    } else {
      leave(); // splice(2) stops before an urgent byte, and a read of Netty's does not
    }
  }

  /** Gives the sink what it takes. */
  private void push() {
    KernelPipe from = pipe;
    if (phase == Phase.OVER || from == null || !sink.isOpen()) {
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
      UnsentLimit.splicing(to, limit);
    }
    sink.awaitWritable(from.held() > 0);
    giveBackIfEmpty();
    if (moved > 0) {
      host.gave((int) moved);
    }
    if (phase != Phase.MOVING) {
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

  private void returnSource(boolean forGood) {
    if (phase == Phase.MOVING) {
      phase = Phase.LAST;
      giveBackIfEmpty();
      source.returnReading();
      host.sourceReturned(forGood);
    }
  }

  private void overIfEmpty() {
    if (phase == Phase.LAST && pipe == null) {
      phase = Phase.OVER;
      sink.returnWriting();
      if (sinkHoldsAll) {
        UnsentLimit.copying(to, limit);
      }
      host.over();
    }
  }
}
