package io.cascade.carriage.coded;

import io.cascade.carriage.coded.TcpHelloState.Event;
import io.cascade.coding.crypto.Accepting;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;

/**
 * A connection on which a handshake comes, at the end that accepts: a HELLO, another one where a
 * cookie is asked for, and nothing else until a session has the connection. Closed where it is not
 * answered, so that the dialler need not wait. On the connection's event loop, which is the
 * session's, too.
 */
final class TcpHello implements TcpCarrier.User {
  private final Channel connection;
  private final EventLoop loop;
  private final Judge judge;
  private final TcpCarrier carrier;
  private TcpHelloState state = TcpHelloState.AWAITING_HELLO;

  /** Judge of a HELLO over TCP. */
  interface Judge {
    /**
     * Judges a datagram; {@link TcpHello#judged} follows, on the event loop.
     *
     * @return false where there is too much to do
     */
    boolean judge(TcpHello hello, byte[] datagram);

    /**
     * Begins a session over the connection, on its event loop, and has the welcome sent before
     * anything of the session's.
     *
     * @return false where there is no room for it
     */
    boolean begin(TcpHello hello, Accepting.HelloOutcome.Opened opened);

    /** The session whose welcome was not sent is not to be kept. From any thread. */
    void forget(Accepting.HelloOutcome.Opened opened);

    /** The handshake is over, one way or the other. On the event loop. */
    void over();
  }

  TcpHello(Channel connection, Judge judge) {
    this.connection = connection;
    this.loop = connection.eventLoop();
    this.judge = judge;
    this.carrier = new TcpCarrier(loop, this);
  }

  /**
   * Begins, on the event loop.
   *
   * @param early owned by this
   */
  void start(ByteBuf early) {
    connection.pipeline().addLast(carrier);
    loop.schedule(() -> end(Event.LATE), Accepting.KEPT_NANOS, TimeUnit.NANOSECONDS);
    loop.execute(() -> carrier.begin(connection, early));
  }

  EventLoop loop() {
    return loop;
  }

  TcpCarrier carrier() {
    return carrier;
  }

  InetSocketAddress local() {
    return (InetSocketAddress) connection.localAddress();
  }

  InetSocketAddress remote() {
    return (InetSocketAddress) connection.remoteAddress();
  }

  @Override
  public boolean carried(TcpCarrier by, ByteBuffer datagram) {
    if (!state.isOver()) {
      move(Event.DATAGRAM);
    }
    if (state.isOver()) {
      return false; // It has said too much.
    }
    byte[] copy = new byte[datagram.remaining()];
    datagram.get(copy);
    return judge.judge(this, copy);
  }

  /** Takes an answer, on the event loop. */
  void judged(Accepting.HelloOutcome answer) {
    if (state.isOver()) {
      if (answer instanceof Accepting.HelloOutcome.Opened opened) {
        judge.forget(opened);
      }
      return;
    }
    switch (answer) {
      case Accepting.HelloOutcome.Nothing _ -> end(Event.REFUSED);
      case Accepting.HelloOutcome.Reply reply -> {
        move(Event.COOKIE_WANTED);
        if (state.isOver()) {
          carrier.close();
        } else {
          send(reply.datagram());
        }
      }
      case Accepting.HelloOutcome.Opened opened -> {
        if (judge.begin(this, opened)) {
          move(Event.OPENED);
        } else {
          end(Event.REFUSED);
        }
      }
    }
  }

  /** Sends a datagram of the handshake. */
  void send(byte[] datagram) {
    if (carrier.hasRoom(datagram.length)) {
      carrier.buffer().put(datagram);
      carrier.add(datagram.length);
      boolean _ = carrier.flush();
    }
  }

  private void move(Event event) {
    boolean wasOver = state.isOver();
    state = state.after(event);
    if (state.isOver() && !wasOver) {
      judge.over();
    }
  }

  private void end(Event event) {
    move(event);
    if (state == TcpHelloState.CLOSED) {
      carrier.close();
    }
  }

  @Override
  public void carrierReady(TcpCarrier by) {}

  @Override
  public void carrierClosed(TcpCarrier by) {
    move(Event.LOST);
  }
}
