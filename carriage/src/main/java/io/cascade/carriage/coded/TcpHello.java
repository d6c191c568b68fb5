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
 * A connection over which a handshake arrives, at the accepting end: a HELLO, a second one if a
 * cookie is required, and nothing else until a session has the connection. If the handshake is not
 * answered the connection is closed, so that the dialler need not wait. Runs on the connection's
 * event loop, which is also the session's.
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
     * @return false if too many wait
     */
    boolean judge(TcpHello hello, byte[] datagram);

    /**
     * Begins a session over the connection, on its event loop, and sends the welcome before any
     * datagram of the session.
     *
     * @return false if there is no room for it
     */
    boolean begin(TcpHello hello, Accepting.HelloOutcome.Opened opened);

    /** Drops the session whose welcome was not sent. May be called from any thread. */
    void forget(Accepting.HelloOutcome.Opened opened);

    /** The handshake has ended, with or without a session. Called on the event loop. */
    void over();
  }

  TcpHello(Channel connection, Judge judge) {
    this.connection = connection;
    this.loop = connection.eventLoop();
    this.judge = judge;
    this.carrier = new TcpCarrier(loop, this);
  }

  /**
   * Starts, on the event loop.
   *
   * @param early handed over
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
      return false; // The peer has sent more than it may.
    }
    byte[] copy = new byte[datagram.remaining()];
    datagram.get(copy);
    return judge.judge(this, copy);
  }

  /** Receives an answer, on the event loop. */
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
