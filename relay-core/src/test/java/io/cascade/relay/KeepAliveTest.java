package io.cascade.relay;

import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Every connection of a stream that lasts asks now and then whether its peer is still there. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class KeepAliveTest {
  private static final Path CONNECTIONS = Path.of("/proc/net/tcp");

  /** What the kernel waits for with a connection of which nothing is on its way. */
  private static final String KEEP_ALIVE_TIMER = "02";

  @Test
  void theWayOnOfAStreamThatLastsIsKeptAlive() throws Exception {
    try (ServerSocket destination = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        TestChain chain =
            TestChain.open(
                1,
                Transport.best(),
                (InetSocketAddress) destination.getLocalSocketAddress(),
                TestChain.options(Map.of("keepAliveSeconds", 10)));
        Socket _ = chain.connect();
        Socket _ = destination.accept()) {
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> timerOfConnectionTo(destination.getLocalPort()).equals(KEEP_ALIVE_TIMER));
    }
  }

  private static String timerOfConnectionTo(int port) {
    String remote = ":%04X".formatted(port);
    try (var lines = Files.lines(CONNECTIONS)) {
      return lines
          .map(line -> line.strip().split("\\s+", -1))
          .filter(fields -> fields[2].endsWith(remote))
          .map(fields -> fields[5].substring(0, 2))
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
