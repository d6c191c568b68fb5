package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.pump.PumpMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All that holds of a stream through three relays holds where their hops are encrypted. */
@Tag("slow")
class StreamsThroughEncryptedChainTest extends StreamsThroughChainTest {
  @Override
  TestChain open(Way way, StreamOptions options) throws Exception {
    return TestChain.openEncrypted(3, way.transport(), way.pump(), address(), options);
  }

  /** More than may be read while the next relay still verifies the certificate. */
  @Test
  void takesAFloodRightBehindTheHandshake() throws Exception {
    byte[] flood = new byte[3 << 20];
    new Random(12).nextBytes(flood);
    try (ServerSocket here = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        TestChain chain =
            TestChain.openEncrypted(
                2,
                Transport.best(),
                PumpMode.AUTO,
                new InetSocketAddress("127.0.0.1", here.getLocalPort()),
                TestChain.cold());
        var clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        Socket client = chain.connect();
        writing.add(
            clients.submit(() -> {
              client.getOutputStream().write(flood);
              client.shutdownOutput();
              return null;
            }));
      }
      for (int i = 0; i < 16; i++) {
        try (Socket server = here.accept()) {
          assertThat(server.getInputStream().readAllBytes()).isEqualTo(flood);
        }
      }
      for (Future<?> one : writing) {
        assertThat(one.get()).isNull();
      }
    }
  }
}
