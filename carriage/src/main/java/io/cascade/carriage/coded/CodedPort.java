package io.cascade.carriage.coded;

import io.cascade.carriage.socket.UdpPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A UDP port at which coded sessions are accepted and nothing else arrives. A session has a socket
 * of its own on the same port, so that what comes here is handshakes, and datagrams of sessions
 * whose peer has another address now.
 */
public final class CodedPort implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(CodedPort.class.getName());
  private static final int LONGEST_BYTES = 2_048;
  private static final long PAUSE_NANOS = 100_000_000;

  private final DatagramChannel channel;
  private final InetSocketAddress address;
  private final CodedAcceptor acceptor;
  private final BiConsumer<ByteBuffer, InetSocketAddress> others;

  private CodedPort(
      DatagramChannel channel,
      CodedAcceptor acceptor,
      BiConsumer<ByteBuffer, InetSocketAddress> others)
      throws IOException {
    this.channel = channel;
    this.address = (InetSocketAddress) channel.getLocalAddress();
    this.acceptor = acceptor;
    this.others = others;
  }

  /** Opens a port at which nothing else is expected. */
  public static CodedPort open(InetSocketAddress at, CodedAcceptor acceptor) throws IOException {
    return open(at, acceptor, (_, _) -> {});
  }

  /**
   * Opens the port. Its thread ends with {@link #close}.
   *
   * @param at the address and number; 0 takes a free one
   * @param others takes datagrams of nothing that is coded, each with its sender, on the port's
   *     thread; a datagram is valid until the return
   * @throws IOException where the port is taken
   */
  public static CodedPort open(
      InetSocketAddress at,
      CodedAcceptor acceptor,
      BiConsumer<ByteBuffer, InetSocketAddress> others)
      throws IOException {
    CodedPort port = new CodedPort(UdpPorts.open(at, true), acceptor, others);
    Thread.ofPlatform().daemon().name("coded-port").start(port::receive);
    return port;
  }

  public InetSocketAddress address() {
    return address;
  }

  private void receive() {
    ByteBuffer datagram = ByteBuffer.allocateDirect(LONGEST_BYTES);
    while (channel.isOpen()) {
      try {
        InetSocketAddress from = (InetSocketAddress) channel.receive(datagram.clear());
        if (!acceptor.offer(datagram.flip(), from, address, this::send)) {
          others.accept(datagram, from);
        }
      } catch (IOException | RuntimeException | Error e) { // of one datagram: others follow
        if (channel.isOpen()) {
          LOG.log(Level.FINE, "a datagram was not taken", e);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  /** Sends a datagram from the port. What the system does not send is lost, as on a network. */
  public void send(ByteBuffer datagram, InetSocketAddress to) {
    try {
      channel.send(datagram, to);
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.FINE, "a datagram was not sent: {0}", e.getMessage());
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "closing failed: {0}", e.getMessage());
    }
  }
}
