package io.cascade.client.doctor;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.LongSupplier;
import jdk.net.ExtendedSocketOptions;

/**
 * Answers another host's doctor over TCP and UDP at one port: accepts connections and closes them,
 * and returns each probe with this host's time of day.
 */
public final class Answering implements AutoCloseable {
  /** More than the packet size of any usual path. */
  private static final int MOST_BYTES = 9_000;

  private final ServerSocketChannel tcp;
  private final DatagramChannel udp;
  private final LongSupplier epochMillis;

  /**
   * Opens the port and starts to answer on its own threads.
   *
   * @param port 0 for any
   * @param epochMillis this host's time of day
   * @throws IOException where the port cannot be bound
   */
  public Answering(int port, LongSupplier epochMillis) throws IOException {
    this.epochMillis = epochMillis;
    this.tcp = ServerSocketChannel.open();
    this.udp = DatagramChannel.open();
    try {
      tcp.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      tcp.bind(new InetSocketAddress(port));
      udp.bind(new InetSocketAddress(port()));
      udp.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
    } catch (IOException e) {
      close();
      throw e;
    }
    Thread.ofPlatform().daemon().name("answers over TCP").start(this::accept);
    Thread.ofPlatform().daemon().name("answers over UDP").start(this::answer);
  }

  public int port() throws IOException {
    return ((InetSocketAddress) tcp.getLocalAddress()).getPort();
  }

  private void accept() {
    while (tcp.isOpen()) {
      try (SocketChannel _ = tcp.accept()) {
        // The accepted connection is the answer.
      } catch (IOException e) {
        // The port was closed, or the connection has failed already.
      }
    }
  }

  private void answer() {
    ByteBuffer in = ByteBuffer.allocate(MOST_BYTES);
    while (udp.isOpen()) {
      try {
        SocketAddress from = udp.receive(in.clear());
        ProbeDatagram question = ProbeDatagram.decode(in.flip()).orElse(null);
        if (question != null && !question.answer()) {
          udp.send(
              new ProbeDatagram(true, question.number(), epochMillis.getAsLong(), question.bytes())
                  .encode(),
              from);
        }
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        // This peer cannot be reached, or the answer exceeds its path's MTU; other peers may be
        // reachable.
      }
    }
  }

  @Override
  public void close() throws IOException {
    tcp.close();
    udp.close();
  }
}
