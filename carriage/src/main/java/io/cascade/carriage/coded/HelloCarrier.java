package io.cascade.carriage.coded;

import io.cascade.carriage.transport.UdpSocket;
import io.cascade.coding.crypto.Agreement;
import io.cascade.coding.crypto.DiallingRace;
import io.cascade.coding.crypto.RaceState;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Carries the datagrams of a handshake over a socket, and also over a TCP connection if the race
 * requests one. Afterwards the session gets the socket, and the connection if that one won.
 */
final class HelloCarrier implements UdpSocket.Events, TcpCarrier.User {
  private static final Logger LOG = Logger.getLogger(HelloCarrier.class.getName());

  private final EventLoop loop;
  private final UdpSocket socket;
  private final DiallingRace race;
  private final TcpDial dial;
  private final Outcome outcome;
  private @Nullable TcpCarrier connection;
  private @Nullable Future<?> timer;
  private boolean isOver;

  /** Receives the result. Called once, on the event loop. */
  interface Outcome {
    /**
     * The handshake has ended.
     *
     * @param socket handed over
     * @param connection on which the session begins, handed over; null if it begins over UDP
     * @param agreement null if no answer arrived
     */
    void over(UdpSocket socket, @Nullable TcpCarrier connection, @Nullable Agreement agreement);
  }

  HelloCarrier(EventLoop loop, UdpSocket socket, DiallingRace race, TcpDial dial, Outcome outcome) {
    this.loop = loop;
    this.socket = socket;
    this.race = race;
    this.dial = dial;
    this.outcome = outcome;
  }

  void start() {
    socket
        .register(loop, this)
        .addListener(registered -> {
          if (!registered.isSuccess()) {
            race.cancel(System.nanoTime()); // A session needs the socket, whatever carries it.
          }
          turn();
        });
  }

  /** Ends the handshake as if no answer had arrived. */
  void cancel() {
    race.cancel(System.nanoTime());
    turn();
  }

  @Override
  public void datagram(ByteBuffer datagram, long receivedNanos) {
    race.onDatagram(datagram, receivedNanos);
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
    byte[] hello = race.poll(System.nanoTime());
    if (race.state().isOver()) {
      finish();
      return;
    }
    if (hello != null) {
      send(hello);
    }
    if (race.state().triesTcp() && connection == null) {
      dial();
      if (isOver) {
        return; // The connection failed at once, and UDP has failed before.
      }
    }
    Future<?> before = timer;
    if (before != null) {
      before.cancel(false);
    }
    long wait = Math.max(0, race.nextNanos() - System.nanoTime());
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

  private void dial() {
    TcpCarrier carrier = new TcpCarrier(loop, this);
    connection = carrier;
    Future<Channel> connecting = dial.connect(loop, carrier);
    connecting.addListener(_ -> {
      if (!connecting.isSuccess()) {
        carrier.close();
      } else if (carrier.isClosed()) {
        connecting.getNow().close();
      } else {
        carrier.begin(connecting.getNow(), Unpooled.EMPTY_BUFFER);
      }
    });
  }

  @Override
  public boolean carried(TcpCarrier by, ByteBuffer datagram) {
    race.onConnectionDatagram(datagram, System.nanoTime());
    if (race.state() == RaceState.OVER_TCP) {
      turn(); // At once, since datagrams of the session may follow this one.
    }
    return true;
  }

  @Override
  public void carrierReady(TcpCarrier by) {
    byte[] hello = race.pollConnection(System.nanoTime());
    if (hello != null && by.hasRoom(hello.length)) {
      by.buffer().put(hello);
      by.add(hello.length);
      boolean _ = by.flush();
    }
  }

  @Override
  public void carrierClosed(TcpCarrier by) {
    race.connectionFailed(System.nanoTime());
    turn();
  }

  private void finish() {
    isOver = true;
    Future<?> before = timer;
    if (before != null) {
      before.cancel(false);
    }
    TcpCarrier open = connection;
    boolean isTcp = race.state() == RaceState.OVER_TCP;
    if (open != null && !isTcp) {
      open.close();
    }
    outcome.over(socket, isTcp ? open : null, race.agreement());
  }
}
