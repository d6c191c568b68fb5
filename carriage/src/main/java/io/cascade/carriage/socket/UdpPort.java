package io.cascade.carriage.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A UDP port with a thread of its own that hears many peers. Sockets of this user that are
 * connected to one of them may share it.
 */
public final class UdpPort implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(UdpPort.class.getName());
  private static final int LONGEST_BYTES = 2_048;
  private static final long PAUSE_NANOS = 100_000_000;

  private final DatagramChannel channel;
  private final InetSocketAddress address;

  private UdpPort(DatagramChannel channel) throws IOException {
    this.channel = channel;
    this.address = (InetSocketAddress) channel.getLocalAddress();
  }

  /**
   * Opens the port.
   *
   * @param at the address and number; 0 takes a free one
   * @throws IOException where the port is taken
   */
  public static UdpPort open(InetSocketAddress at) throws IOException {
    return new UdpPort(UdpPorts.open(at, true));
  }

  /**
   * Begins to receive, on a thread that ends with {@link #close}.
   *
   * @param taker takes datagrams, each with its sender, on that thread; a datagram is valid until
   *     the return
   */
  public void receive(String threadName, BiConsumer<ByteBuffer, InetSocketAddress> taker) {
    Thread.ofPlatform().daemon().name(threadName).start(() -> receive(taker));
  }

  private void receive(BiConsumer<ByteBuffer, InetSocketAddress> taker) {
    ByteBuffer datagram = ByteBuffer.allocateDirect(LONGEST_BYTES);
    while (channel.isOpen()) {
      try {
        InetSocketAddress from = (InetSocketAddress) channel.receive(datagram.clear());
        taker.accept(datagram.flip(), from);
      } catch (IOException | RuntimeException | Error e) { // of one datagram: others follow
        if (channel.isOpen()) {
          LOG.log(Level.FINE, "a datagram was not taken", e);
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  public InetSocketAddress address() {
    return address;
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
