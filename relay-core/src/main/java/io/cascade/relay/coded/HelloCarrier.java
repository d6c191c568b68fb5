package io.cascade.relay.coded;

import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.crypto.Dialling;
import io.cascade.coding.crypto.DiallingState;
import io.cascade.relay.transport.UdpSocket;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Carries a handshake's datagrams over a socket, which the session gets afterwards. */
final class HelloCarrier implements UdpSocket.Events {
  private static final Logger LOG = Logger.getLogger(HelloCarrier.class.getName());

  private final EventLoop loop;
  private final UdpSocket socket;
  private final Dialling dialling;
  private final Outcome outcome;
  private @Nullable Future<?> timer;
  private boolean isOver;

  /** Who waits for it. Told once, on the event loop. */
  interface Outcome {
    /**
     * It has ended.
     *
     * @param socket is now the outcome's
     * @param agreement null where nobody has answered
     */
    void over(UdpSocket socket, DiallingState how, @Nullable Agreement agreement);
  }

  HelloCarrier(EventLoop loop, UdpSocket socket, Dialling dialling, Outcome outcome) {
    this.loop = loop;
    this.socket = socket;
    this.dialling = dialling;
    this.outcome = outcome;
  }

  void start() {
    socket
        .register(loop, this)
        .addListener(registered -> {
          if (registered.isSuccess()) {
            turn();
          } else {
            finish(null);
          }
        });
  }

  /** Ends it as if nobody had answered. */
  void cancel() {
    finish(null);
  }

  @Override
  public void datagram(ByteBuffer datagram, long receivedNanos) {
    dialling.onDatagram(datagram, receivedNanos);
  }

  @Override
  public void readable() {
    socket.receive();
    turn();
  }

  @Override
  public void writable() {
    turn();
  }

  private void turn() {
    if (isOver) {
      return;
    }
    if (dialling.state() == DiallingState.AGREED) {
      finish(dialling.agreement());
      return;
    }
    byte[] hello = dialling.poll(System.nanoTime());
    if (dialling.state() == DiallingState.FAILED) {
      finish(null);
      return;
    }
    if (hello != null) {
      send(hello);
    }
    Future<?> before = timer;
    if (before != null) {
      before.cancel(false);
    }
    long wait = Math.max(0, dialling.nextNanos() - System.nanoTime());
    timer = loop.schedule(this::turn, wait, TimeUnit.NANOSECONDS);
  }

  private void send(byte[] hello) {
    try {
      if (socket.hasRoom(hello.length)) {
        socket.buffer().put(hello);
        socket.add(hello.length);
      }
      boolean _ = socket.flush();
    } catch (IOException e) {
      LOG.log(Level.FINE, "a datagram of a handshake was not sent: {0}", e.getMessage());
    }
  }

  private void finish(@Nullable Agreement agreement) {
    if (isOver) {
      return;
    }
    isOver = true;
    Future<?> before = timer;
    if (before != null) {
      before.cancel(false);
    }
    outcome.over(socket, dialling.state(), agreement);
  }
}
