package io.cascade.client.transfer.coded;

import io.cascade.carriage.socket.UdpPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * A UDP port of an end that looks for a direct path, from which it then dials the session: NATs
 * know the path by the port.
 */
final class DirectPort implements AutoCloseable {
  private static final int LONGEST_BYTES = 2_048;
  private static final long PAUSE_NANOS = 100_000_000;

  private final DatagramChannel channel;
  private final int number;
  private final DirectPaths paths = new DirectPaths(this::send);

  private DirectPort(DatagramChannel channel) throws IOException {
    this.channel = channel;
    this.number = ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  /** Opens a free port, which the session's socket shares. */
  static DirectPort open() throws IOException {
    DirectPort port = new DirectPort(UdpPorts.open(new InetSocketAddress(0), true));
    Thread.ofPlatform().daemon().name("direct-port").start(port::receive);
    return port;
  }

  int number() {
    return number;
  }

  DirectPaths paths() {
    return paths;
  }

  private void send(ByteBuffer datagram, InetSocketAddress to) {
    try {
      channel.send(datagram, to);
    } catch (IOException | RuntimeException e) {
      // It is lost, as on a network: no route leads there, or the address is not of its family.
    }
  }

  private void receive() {
    ByteBuffer datagram = ByteBuffer.allocateDirect(LONGEST_BYTES);
    while (channel.isOpen()) {
      try {
        InetSocketAddress from = (InetSocketAddress) channel.receive(datagram.clear());
        paths.received(datagram.flip(), from);
      } catch (IOException | RuntimeException e) { // of one datagram: others follow
        if (channel.isOpen()) {
          LockSupport.parkNanos(PAUSE_NANOS);
        }
      }
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // It is gone already.
    }
  }
}
