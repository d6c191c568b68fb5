package io.cascade.carriage.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
@EnabledOnOs(OS.LINUX)
class UdpSocketTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** The kernel gives the lowest descriptor that is free: that of the socket just closed. */
  @Test
  void aClosedSocketSendsNothingByTheSocketThatHasItsDescriptor() throws Exception {
    try (DatagramChannel peer = DatagramChannel.open().bind(ANY)) {
      InetSocketAddress to = (InetSocketAddress) peer.getLocalAddress();
      UdpSocket closed = connected(to);
      put(closed, "stale");
      closed.close();
      UdpSocket next = connected(to);
      try {
        assertThat(closed.flush()).isTrue();
        put(next, "fresh");
        assertThat(next.flush()).isTrue();
        ByteBuffer first = ByteBuffer.allocate(100);
        peer.receive(first);
        assertThat(first.flip()).isEqualTo(ByteBuffer.wrap("fresh".getBytes(US_ASCII)));
      } finally {
        next.close();
      }
    }
  }

  @Test
  void aClosedSocketIsNotConnected() throws Exception {
    UdpSocket socket = UdpSocket.bind(ANY);
    InetSocketAddress itself = socket.localAddress();
    socket.close();
    assertThat(socket.isOpen()).isFalse();
    assertThatThrownBy(() -> socket.connect(itself)).isInstanceOf(ClosedChannelException.class);
  }

  /** Queued before the socket had its peer, or by a kernel that had chosen the socket before. */
  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::1"})
  void aSocketWithAPeerTakesNothingOfOthersThatIsQueuedAlready(String bound) throws Exception {
    InetSocketAddress any = new InetSocketAddress(bound, 0);
    assumeThat(isAvailable(any)).as("the machine has IPv6").isTrue();
    UdpSocket socket = UdpSocket.bind(any);
    try (DatagramChannel peer = DatagramChannel.open().bind(any);
        DatagramChannel other = DatagramChannel.open().bind(any)) {
      send(other, "of another", socket.localAddress());
      send(peer, "early", socket.localAddress());
      socket.connect((InetSocketAddress) peer.getLocalAddress());
      send(peer, "late", socket.localAddress());
      List<String> texts = new ArrayList<>();
      while (!texts.contains("late")) {
        texts.addAll(received(socket));
      }
      assertThat(texts).containsExactly("early", "late");
    } finally {
      socket.close();
    }
  }

  @Test
  void aSocketOfOnePeerGetsNothingOfOthersOnTheSharedPort() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    try (DatagramChannel port = DatagramChannel.open();
        DatagramChannel peer = DatagramChannel.open().bind(ANY)) {
      port.setOption(StandardSocketOptions.SO_REUSEPORT, true).bind(ANY);
      InetSocketAddress at = (InetSocketAddress) port.getLocalAddress();
      InetSocketAddress from = (InetSocketAddress) peer.getLocalAddress();
      Thread others = Thread.startVirtualThread(() -> sendTo(at, isOver));
      try {
        for (int i = 0; i < 2_000; i++) {
          UdpSocket socket = UdpSocket.bindShared(at, from);
          assertThat(received(socket)).as("messages of others at socket %d", i).isEmpty();
          socket.close();
        }
      } finally {
        isOver.set(true);
        others.join();
      }
    }
  }

  /**
   * Sends from many ports: by address and port the kernel chooses among those that share a port.
   */
  private static void sendTo(InetSocketAddress at, AtomicBoolean isOver) {
    ByteBuffer text = ByteBuffer.wrap("others".getBytes(US_ASCII));
    while (!isOver.get()) {
      try (DatagramChannel other = DatagramChannel.open().bind(ANY)) {
        for (int i = 0; i < 100; i++) {
          other.send(text.rewind(), at);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static List<String> received(UdpSocket socket) {
    List<String> texts = new ArrayList<>();
    socket.receive((datagram, _) -> texts.add(US_ASCII.decode(datagram).toString()));
    return texts;
  }

  private static boolean isAvailable(InetSocketAddress address) {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.bind(address);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void send(DatagramChannel from, String text, InetSocketAddress to)
      throws IOException {
    from.send(ByteBuffer.wrap(text.getBytes(US_ASCII)), to);
  }

  private static UdpSocket connected(InetSocketAddress to) throws Exception {
    UdpSocket socket = UdpSocket.bind(ANY);
    socket.connect(to);
    return socket;
  }

  private static void put(UdpSocket socket, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    socket.buffer().put(bytes);
    socket.add(bytes.length);
  }
}
