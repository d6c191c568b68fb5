package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AcceptHandlerTest {
  private static final int PATIENCE_MILLIS = 20_000;

  @Test
  void aConnectionThatNobodyCouldTakeForWantOfMemoryIsClosed() throws IOException {
    Channel listening =
        TcpEnds.listen(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            TcpEnds.PIPES,
            () ->
                new AcceptHandler(_ -> {
                  throw new OutOfMemoryError("for a moment");
                }));
    InetSocketAddress at = (InetSocketAddress) listening.localAddress();
    try (Socket socket = new Socket(at.getAddress(), at.getPort())) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      assertThat(isOver(socket)).isTrue();
    } finally {
      listening.close().syncUninterruptibly();
    }
  }

  private static boolean isOver(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }
}
