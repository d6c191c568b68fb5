package io.cascade.relay.registration;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.Json;
import io.cascade.api.orchestrator.Heartbeat;
import io.cascade.api.orchestrator.Problem;
import io.cascade.api.orchestrator.RelayInstructions;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An orchestrator that writes down what relays say and answers as it is told to. */
public final class FakeOrchestrator implements AutoCloseable {
  static final int SILENT = -1;

  public final List<RelayRegistration> registrations = new CopyOnWriteArrayList<>();
  public final List<Heartbeat> heartbeats = new CopyOnWriteArrayList<>();
  public volatile int registerStatus = 200;
  public volatile int heartbeatStatus = 200;

  /** What kind of problem an answer is whose status is not 200. */
  public volatile String problem = "test";

  volatile RelayInstructions instructions =
      new RelayInstructions(0.05, List.of(new RelayPeer("b", "192.0.2.1", 7411)), null, null);

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final HttpServer server;

  public FakeOrchestrator() throws IOException {
    this(0);
  }

  FakeOrchestrator(int port) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.setExecutor(threads);
    server.createContext("/api/v1/relays", this::register);
    server.createContext("/api/v1/relays/r1/heartbeats", this::heartbeat);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  public URI address() {
    return URI.create("http://127.0.0.1:" + port());
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void register(HttpExchange exchange) throws IOException {
    int status = registerStatus;
    registrations.add(Json.strict().readValue(exchange.getRequestBody(), RelayRegistration.class));
    answer(exchange, status);
  }

  private void heartbeat(HttpExchange exchange) throws IOException {
    int status = heartbeatStatus;
    heartbeats.add(Json.strict().readValue(exchange.getRequestBody(), Heartbeat.class));
    answer(exchange, status);
  }

  private void answer(HttpExchange exchange, int status) throws IOException {
    if (status == SILENT) {
      try {
        closing.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    Object document =
        status == 200
            ? instructions
            : new Problem("urn:cascade:problem:" + problem, "Test", status, "told to", null, null);
    byte[] body = Json.strict().writeValueAsString(document).getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
