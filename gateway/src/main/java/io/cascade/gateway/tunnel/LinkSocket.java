package io.cascade.gateway.tunnel;

import io.cascade.carriage.coded.SessionDriver;
import io.cascade.carriage.transport.UdpSocket;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A socket to another gateway, first for a handshake and then for the resulting session. Used on
 * the event loop.
 */
final class LinkSocket implements UdpSocket.Events {
  private static final Logger LOG = Logger.getLogger(LinkSocket.class.getName());

  /** The first two bits of a session's datagrams are 01; a handshake's are 00. */
  private static final int KIND = 0xc0;

  private final UdpSocket socket;
  private final Handshake handshake;
  private @Nullable SessionDriver driver;

  /** Receives datagrams that belong to no session. */
  @FunctionalInterface
  interface Handshake {
    void datagram(LinkSocket socket, ByteBuffer datagram);
  }

  LinkSocket(UdpSocket socket, Handshake handshake) {
    this.socket = socket;
    this.handshake = handshake;
  }

  Future<Boolean> register(EventLoop loop) {
    return socket.register(loop, this);
  }

  UdpSocket socket() {
    return socket;
  }

  /** Passes all further datagrams to {@code session}. */
  void carries(SessionDriver session) {
    driver = session;
  }

  /** Sends a datagram of a handshake. */
  void send(byte[] datagram) {
    try {
      if (socket.hasRoom(datagram.length) || socket.flush()) {
        socket.buffer().put(datagram);
        socket.add(datagram.length);
        socket.flush();
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "a handshake was not sent: {0}", e.getMessage());
    }
  }

  @Override
  public void datagram(ByteBuffer datagram, long receivedNanos) {
    if (datagram.hasRemaining() && (datagram.get(datagram.position()) & KIND) == 0) {
      handshake.datagram(this, datagram);
    } else if (driver != null) {
      driver.datagram(datagram, receivedNanos);
    }
  }

  @Override
  public void readable() {
    if (driver != null) {
      driver.readable();
    } else {
      socket.receive();
    }
  }

  @Override
  public void writable() {
    if (driver != null) {
      driver.writable();
    }
  }

  void close() {
    socket.close();
  }
}
