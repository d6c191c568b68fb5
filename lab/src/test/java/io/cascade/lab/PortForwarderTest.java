package io.cascade.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a port of this machine that end somewhere else. */
@Timeout(30)
class PortForwarderTest {
  @Test
  void bytesAndTheirEndPassInBothDirections() throws Exception {
    try (ServerSocket far = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PortForwarder forwarder = to(far);
        Socket client = connect(forwarder);
        Socket server = far.accept()) {
      client.getOutputStream().write("question".getBytes(UTF_8));
      client.shutdownOutput();
      assertThat(server.getInputStream().readAllBytes()).isEqualTo("question".getBytes(UTF_8));

      server.getOutputStream().write("answer".getBytes(UTF_8));
      server.shutdownOutput();
      assertThat(client.getInputStream().readAllBytes()).isEqualTo("answer".getBytes(UTF_8));
    }
  }

  @Test
  void resetIsNoCleanEnd() throws Exception {
    try (ServerSocket far = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PortForwarder forwarder = to(far);
        Socket client = connect(forwarder);
        Socket server = far.accept()) {
      client.setSoLinger(true, 0);
      client.close();

      assertThatThrownBy(() -> server.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  @Test
  void connectionThatCannotBeCarriedOnIsReset() throws Exception {
    try (PortForwarder forwarder =
            PortForwarder.open(() -> {
              throw new ConnectException("refused");
            });
        Socket client = connect(forwarder)) {
      assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
    }
  }

  private static PortForwarder to(ServerSocket far) throws IOException {
    return PortForwarder.open(() -> SocketChannel.open(far.getLocalSocketAddress()));
  }

  private static Socket connect(PortForwarder forwarder) throws IOException {
    Socket socket = new Socket();
    socket.connect(new InetSocketAddress(forwarder.address().host(), forwarder.address().port()));
    return socket;
  }
}
