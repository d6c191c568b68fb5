package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.carriage.transport.Transport;
import io.cascade.relay.TestChain;
import io.cascade.relay.conformance.Echo.Outcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** New streams are turned away at a limit, and running ones go on. */
@Timeout(120)
class LimitsTest {
  private static final int DESCRIPTORS = 256;
  private static final long LEAST_MEMORY = 1 << 20;

  /** What a direction may read although the budget is spent, and the buffer that it came in. */
  private static final long FLOOR = 8 * 1_024;

  @Test
  void whenDescriptorsRunOutNewStreamsAreReset() throws Exception {
    assumeTrue(Transport.EPOLL.available(), "SKIPPED, descriptors do not run out: no epoll");
    assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/prlimit")),
        "SKIPPED, descriptors do not run out: there is no prlimit (apt install util-linux)");
    String limit = "--nofile=" + DESCRIPTORS + ":" + DESCRIPTORS;
    try (Echo echo = Echo.open();
        RelayProcess relay =
            RelayProcess.Start.of(Transport.EPOLL).by("prlimit", limit).start("small")) {
      InetSocketAddress way =
          RelayProcess.chain(
              UUID.randomUUID(), List.of(relay), echo.address(), TestChain.defaults());
      List<Socket> streams = new ArrayList<>();
      int refused = 0;
      while (refused < 20 && streams.size() < DESCRIPTORS) {
        Socket socket = Echo.connect(way);
        if (Echo.answers(socket)) {
          streams.add(socket);
        } else {
          refused++;
          socket.close();
        }
      }
      assertThat(streams).hasSizeBetween(DESCRIPTORS / 8, DESCRIPTORS / 2);
      assertThat(streams).allMatch(Echo::answers);
      assertThat(shedForDescriptors(relay)).isEqualTo(refused);
      for (Socket socket : streams) {
        socket.close();
      }
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> relay.control().health(TestChain.PATIENCE).runningStreams() == 0);
      // The first one may still be judged by what was taken before.
      await().atMost(TestChain.PATIENCE).until(() -> Echo.transfer(way, 1_000) == Outcome.WHOLE);
      assertThat(relay.stop()).as(relay.text()).isTrue();
    }
  }

  @Test
  void whenMemoryIsSpentStreamsGoOnWithLittleEach() throws Exception {
    List<Socket> stalled = new ArrayList<>();
    try (ServerSocket destination = new ServerSocket(0, 200, InetAddress.getByName("127.0.0.1"));
        Echo echo = Echo.open();
        RelayProcess relay =
            RelayProcess.Start.of(Transport.best()).memory(LEAST_MEMORY).start("tight")) {
      InetSocketAddress way =
          RelayProcess.chain(
              UUID.randomUUID(),
              List.of(relay),
              (InetSocketAddress) destination.getLocalSocketAddress(),
              TestChain.defaults());
      InetSocketAddress other =
          RelayProcess.chain(
              UUID.randomUUID(), List.of(relay), echo.address(), TestChain.defaults());
      int count = 40;
      int bytes = 8 << 20;
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Socket client = Echo.connect(way);
        stalled.add(destination.accept());
        writers.add(Thread.startVirtualThread(() -> write(client, bytes)));
      }
      awaitStandstill(relay);
      assertThat(relay.control().health(TestChain.PATIENCE).heldBytes())
          .isBetween(LEAST_MEMORY / 4, LEAST_MEMORY + count * FLOOR);
      assertThat(Echo.transfer(other, 300_000)).isEqualTo(Outcome.WHOLE);
      for (Socket server : stalled) {
        byte[] got = server.getInputStream().readAllBytes();
        assertThat(got).hasSize(bytes);
        assertThat(Content.OF_CLIENT.firstWrong(got, bytes, 0)).isEqualTo(-1);
        server.close();
      }
      for (Thread writer : writers) {
        writer.join();
      }
      await()
          .atMost(TestChain.PATIENCE)
          .until(() -> relay.control().health(TestChain.PATIENCE).heldBytes() == 0);
      assertThat(relay.stop()).as(relay.text()).isTrue();
    }
  }

  private static void write(Socket client, int bytes) {
    try (client) {
      client.getOutputStream().write(Content.OF_CLIENT.from(0, bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitStandstill(RelayProcess relay) {
    long[] last = {-1};
    await()
        .atMost(TestChain.PATIENCE)
        .until(() -> {
          long now = relay.control().health(TestChain.PATIENCE).heldBytes();
          boolean still = now == last[0] && now > 0;
          last[0] = now;
          return still;
        });
  }

  private static long shedForDescriptors(RelayProcess relay) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String metrics =
          client
              .send(
                  HttpRequest.newBuilder(URI.create(relay.controlUri() + "/control/v1/metrics"))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      Matcher shed =
          Pattern.compile("reason=\"shed-descriptors\"[^}]*} ([0-9.]+)").matcher(metrics);
      assertThat(shed.find()).as(metrics).isTrue();
      return (long) Double.parseDouble(shed.group(1));
    }
  }
}
