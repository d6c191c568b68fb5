package io.cascade.carriage.coded;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.SplittableRandom;

/**
 * A network between two sockets on loopback that loses, doubles and invents datagrams. Each of the
 * two connects to its own side of it.
 */
final class LossyProxy implements AutoCloseable {
  private final DatagramChannel near;
  private final DatagramChannel far;
  private final double loss;
  private final double rubbish;

  /**
   * @param loss share of datagrams
   * @param rubbish share of them that are followed by a copy, and by one that is made up
   */
  LossyProxy(double loss, double rubbish) throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    this.near = DatagramChannel.open().bind(any);
    this.far = DatagramChannel.open().bind(any);
    this.loss = loss;
    this.rubbish = rubbish;
  }

  InetSocketAddress near() throws IOException {
    return (InetSocketAddress) near.getLocalAddress();
  }

  InetSocketAddress far() throws IOException {
    return (InetSocketAddress) far.getLocalAddress();
  }

  /** Begins to carry between the two. */
  void start(SocketAddress nearPeer, SocketAddress farPeer) {
    Thread.ofPlatform().daemon().name("proxy-near").start(() -> carry(near, far, farPeer, 1));
    Thread.ofPlatform().daemon().name("proxy-far").start(() -> carry(far, near, nearPeer, 2));
  }

  private void carry(DatagramChannel from, DatagramChannel to, SocketAddress peer, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ByteBuffer datagram = ByteBuffer.allocateDirect(1 << 16);
    try {
      while (true) {
        datagram.clear();
        from.receive(datagram);
        datagram.flip();
        if (random.nextDouble() < loss) {
          continue;
        }
        to.send(datagram.duplicate(), peer);
        if (random.nextDouble() < rubbish) {
          to.send(datagram.duplicate(), peer);
          byte[] invented = new byte[random.nextInt(1, 1_600)];
          random.nextBytes(invented);
          if (random.nextBoolean()) {
            datagram.get(0, invented, 0, Math.min(invented.length, datagram.limit()));
            invented[random.nextInt(Math.min(invented.length, 5))] ^= (byte) random.nextInt(1, 256);
          }
          to.send(ByteBuffer.wrap(invented), peer);
        }
      }
    } catch (IOException e) {
      // Closed: the test is over.
    }
  }

  @Override
  public void close() throws IOException {
    near.close();
    far.close();
  }
}
