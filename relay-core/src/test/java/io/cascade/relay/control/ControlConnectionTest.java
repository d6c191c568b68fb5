package io.cascade.relay.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.ControlProof;
import io.cascade.relay.throughput.FakeTests;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ControlConnectionTest {
  private static final ControlProof PROOF = new ControlProof(UUID.randomUUID(), 1, "");

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

  private static ControlConnection to(
      ServerSocket orchestrator, Queue<Supplier<ControlProof>> attempts) {
    FakeChainParts parts = new FakeChainParts();
    return new ControlConnection(
        new OrchestratorClient(URI.create("http://127.0.0.1:" + orchestrator.getLocalPort()), null),
        "fra",
        () -> {
          Supplier<ControlProof> next = attempts.poll();
          return next == null ? PROOF : next.get();
        },
        () -> true,
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
