package io.cascade.gateway.tunnel;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.HttpLimits;
import io.cascade.api.LocalRequests;
import io.cascade.command.CommandException;
import io.cascade.command.ListenFailure;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/** Answers {@code GET /metrics} for Prometheus. */
final class MetricsServer implements AutoCloseable {
  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final int WAITING_CONNECTIONS = 16;

  private final HttpServer server;

  /** A slow caller blocks only its own thread. */
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private MetricsServer(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to answer.
   *
   * @throws CommandException where the address cannot be bound
   */
  static MetricsServer serve(InetSocketAddress at, Supplier<GatewayStatus> status) {
    HttpLimits.apply();
    try {
      HttpServer server = HttpServer.create(at, WAITING_CONNECTIONS);
      HttpContext metrics =
          server.createContext(
              "/metrics",
              exchange -> {
                try (exchange) {
                  boolean isGet = exchange.getRequestMethod().equals("GET");
                  byte[] body =
                      isGet
                          ? GatewayMetrics.of(status.get()).getBytes(StandardCharsets.UTF_8)
                          : new byte[0];
                  exchange.getResponseHeaders().set("Content-Type", TYPE);
                  exchange.sendResponseHeaders(isGet ? 200 : 405, isGet ? body.length : -1);
                  exchange.getResponseBody().write(body);
                }
              });
      metrics.getFilters().add(new LocalRequests());
      MetricsServer serving = new MetricsServer(server);
      server.setExecutor(serving.threads);
      server.start();
      return serving;
    } catch (IOException e) {
      throw new CommandException(
          "cannot listen at %s: %s; fix: choose another with --metrics"
              .formatted(at, ListenFailure.words(e)),
          e);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
