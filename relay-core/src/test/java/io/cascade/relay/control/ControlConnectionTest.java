package io.cascade.relay.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.identity.ControlProof;
import io.cascade.relay.throughput.FakeTests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ControlConnectionTest {
  private static final ControlProof PROOF = new ControlProof(UUID.randomUUID(), 1, "");

  private static final byte[] PING = {(byte) 0x89, 0};
  private static final byte[] PONG = {(byte) 0x8a};

  /** A client's frames have a mask of four bytes. */
  private static final int PONG_BYTES = 6;

  @Test
  void isOpenedWhateverFailedBefore() throws IOException {
    Queue<Supplier<ControlProof>> attempts =
        new ArrayDeque<>(
            List.of(
                () -> {
                  throw new IllegalStateException("no proof");
                },
                () -> {
                  throw new OutOfMemoryError("no descriptor");
                }));
    try (ServerSocket orchestrator = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        ControlConnection connection = to(orchestrator, attempts)) {
      orchestrator.setSoTimeout(10_000); // nothing else ends the wait
      connection.start();

      try (Socket opened = orchestrator.accept();
          BufferedReader asked =
              new BufferedReader(
                  new InputStreamReader(opened.getInputStream(), StandardCharsets.UTF_8))) {
        assertThat(asked.readLine()).startsWith("GET /api/v1/relays/fra/control?");
      }
    }
  }

  /** The leader may only be slow, and the one that is asked meanwhile only stand by. */
  @Test
  void isKeptUntilAnotherOrchestratorKnowsTheRelay() throws Exception {
    AtomicBoolean isRegistered = new AtomicBoolean(true);
    AtomicInteger looks = new AtomicInteger();
    HttpServer standby = standby();
    try (ServerSocket leader = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      OrchestratorClient client =
          new OrchestratorClient(
              List.of(address(leader.getLocalPort()), address(standby.getAddress().getPort())),
              null);
      try (ControlConnection connection =
          to(
              client,
              new ArrayDeque<>(),
              () -> {
                looks.incrementAndGet();
                return isRegistered.get();
              })) {
        connection.start();
        try (Socket opened = upgraded(leader)) {
          leader.close(); // no call of it is answered from now on
          isRegistered.set(false);
          assertThatThrownBy(client::relays).isInstanceOf(UnreachableException.class);
          assertThat(client.address()).isNotEqualTo(address(leader.getLocalPort()));
          int before = looks.get();
          await().until(() -> looks.get() > before);

          opened.getOutputStream().write(PING);
          assertThat(opened.getInputStream().readNBytes(PONG_BYTES)).startsWith(PONG);

          isRegistered.set(true);
          assertThat(opened.getInputStream().read()).as("closed").isEqualTo(-1);
        }
      }
    } finally {
      standby.stop(0);
    }
  }

  private static URI address(int port) {
    return URI.create("http://127.0.0.1:" + port);
  }

  private static HttpServer standby() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.createContext(
        "/",
        exchange -> {
          byte[] health =
              "{\"status\":\"UP\",\"role\":\"STANDBY\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, health.length);
          exchange.getResponseBody().write(health);
          exchange.close();
        });
    server.start();
    return server;
  }

  /** Takes a connection as a WebSocket (RFC 6455, section 4.2.2). */
  private static Socket upgraded(ServerSocket at) throws Exception {
    Socket opened = at.accept();
    BufferedReader asked =
        new BufferedReader(new InputStreamReader(opened.getInputStream(), StandardCharsets.UTF_8));
    String key = "";
    for (String line = asked.readLine(); !line.isEmpty(); line = asked.readLine()) {
      if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
        key = line.substring(line.indexOf(':') + 1).strip();
      }
    }
    byte[] digest =
        MessageDigest.getInstance("SHA-1")
            .digest(
                (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8));
    String accepted = Base64.getEncoder().encodeToString(digest);
    opened
        .getOutputStream()
        .write(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: "
                    + accepted
                    + "\r\n\r\n")
                .getBytes(StandardCharsets.UTF_8));
    return opened;
  }

  private static ControlConnection to(
      ServerSocket orchestrator, Queue<Supplier<ControlProof>> attempts) {
    OrchestratorClient client = new OrchestratorClient(address(orchestrator.getLocalPort()), null);
    return to(client, attempts, () -> true);
  }

  private static ControlConnection to(
      OrchestratorClient client,
      Queue<Supplier<ControlProof>> attempts,
      BooleanSupplier isRegistered) {
    FakeChainParts parts = new FakeChainParts();
    return new ControlConnection(
        client,
        "fra",
        () -> {
          Supplier<ControlProof> next = attempts.poll();
          return next == null ? PROOF : next.get();
        },
        isRegistered,
        new ControlRequests(
            parts,
            parts,
            _ -> {
              throw new UnknownHostException();
            },
            new FakeTests(),
            () -> ""));
  }
}
