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
 * A UDP port with its own thread that receives from many peers. Sockets of this user that are
 * connected to one of these peers may share it.
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
   * @param at the address and number; 0 chooses a free one
   * @throws IOException if the port is taken
   */
  public static UdpPort open(InetSocketAddress at) throws IOException {
    return new UdpPort(UdpPorts.open(at, true));
  }

  /**
   * Begins to receive, on a thread that ends with {@link #close}.
   *
   * @param taker receives datagrams with their senders, on that thread; a datagram is valid until
   *     the call returns
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
      } catch (IOException | RuntimeException | Error e) { // caused by one datagram: others follow
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

  /** Sends a datagram from the port. A datagram that the system does not send counts as lost. */
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
