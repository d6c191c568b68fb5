package io.cascade.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class ReservedPortTest {

  @Test
  void refusesConnectionsUntilSomebodyListens() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ReservedPort port = ReservedPort.take()) {
      assertThatThrownBy(() -> new Socket(loopback, port.number()))
          .isInstanceOf(ConnectException.class);
      for (int again = 0; again < 2; again++) {
        try (ServerSocket server = new ServerSocket(port.number(), 1, loopback);
            Socket client = new Socket(loopback, port.number());
            Socket accepted = server.accept()) {
          accepted.getOutputStream().write(7);
          assertThat(client.getInputStream().read()).isEqualTo(7);
        }
      }
    }
  }

  @Test
  void canBeListenedOnAtEveryAddress() throws IOException {
    try (ReservedPort port = ReservedPort.take();
        ServerSocket server = new ServerSocket(port.number());
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port.number())) {
      assertThat(client.isConnected()).isTrue();
      assertThat(server.isBound()).isTrue();
    }
  }
}
