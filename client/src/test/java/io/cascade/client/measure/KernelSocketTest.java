package io.cascade.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.kernel.settings.KernelSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What the kernel says of real connections of this process. */
@EnabledOnOs(OS.LINUX)
class KernelSocketTest {
  @Test
  void countsTheBytesOfThisConnectionAndNoOther() throws IOException {
    try (ServerSocketChannel server = listening();
        SocketChannel busy = SocketChannel.open(server.getLocalAddress());
        SocketChannel busyEnd = server.accept();
        SocketChannel idle = SocketChannel.open(server.getLocalAddress())) {
      busy.write(ByteBuffer.allocate(1_000));
      busyEnd.read(ByteBuffer.allocate(1_000));

      KernelSocket socket = KernelSocket.of(busy).orElseThrow();
      assertThat(socket.counters().orElseThrow().sentSegments()).isEqualTo(1);
      assertThat(socket.congestionControl()).hasValue(KernelSettings.congestionControl());
      KernelSocket other = KernelSocket.of(idle).orElseThrow();
      assertThat(other.counters().orElseThrow().sentSegments()).isZero();
    }
  }

  @Test
  void findsSocketsOfIpv4Alone() throws IOException {
    try (ServerSocketChannel server = listening();
        SocketChannel connection = SocketChannel.open(StandardProtocolFamily.INET)) {
      connection.connect(server.getLocalAddress());

      assertThat(KernelSocket.of(connection)).isPresent();
    }
  }

  @Test
  void saysNothingOfAClosedConnection() throws IOException {
    try (ServerSocketChannel server = listening()) {
      SocketChannel connection = SocketChannel.open(server.getLocalAddress());
      KernelSocket socket = KernelSocket.of(connection).orElseThrow();
      connection.close();

      assertThat(socket.counters()).isEmpty();
      assertThat(KernelSocket.of(connection)).isEmpty();
    }
  }

  @Test
  void saysNothingWhereTheKernelCountsTooLittle() {
    assertThat(TcpCounters.of(new byte[104])).isEmpty();
  }

  private static ServerSocketChannel listening() throws IOException {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }
}
