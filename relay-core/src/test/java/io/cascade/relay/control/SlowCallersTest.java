package io.cascade.relay.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.throughput.FakeTests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The JDK's server reads its limits once in the life of a process, so this one has another process,
 * with a second in the place of {@link io.cascade.api.HttpLimits}'s fifteen.
 */
class SlowCallersTest {
  private static final String PATH = " /control/v1/leases HTTP/1.1\r\nHost: localhost\r\n";

  @Test
  @Timeout(60)
  void whoDoesNotFinishARequestIsCutOff() throws Exception {
    Process server =
        new ProcessBuilder(
                System.getProperty("java.home") + "/bin/java",
                "-Dsun.net.httpserver.maxReqTime=1",
                "-Dsun.net.httpserver.timerMillis=100",
                "-Dsun.net.httpserver.clockTick=100",
                "-cp",
                System.getProperty("java.class.path"),
                SlowCallersTest.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(server.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(said).endsWith("all were cut off\n");
    } finally {
      server.destroyForcibly();
    }
  }

  public static void main(String[] arguments) throws Exception {
    FakeChainParts parts = new FakeChainParts();
    try (ControlServer server =
        ControlServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            null,
            new ControlRequests(
                parts,
                parts,
                _ -> {
                  throw new IllegalStateException();
                },
                new FakeTests(),
                () -> ""))) {
      List<Socket> slow = new ArrayList<>();
      for (String half :
          List.of(
              "",
              "POST",
              "POST" + PATH + "Content-Le",
              "POST" + PATH + "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{")) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
        slow.add(socket);
      }
      for (Socket socket : slow) {
        awaitEnd(socket);
      }
      System.out.println("all were cut off");
    }
  }

  private static void awaitEnd(Socket socket) {
    try (socket) {
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // A reset is an end, too.
    }
  }
}
