package io.cascade.relay.control;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.HttpLimits;
import io.cascade.api.LocalRequests;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves the relay-control contract over HTTP. Each request runs on its own virtual thread; {@link
 * HttpLimits} bounds the time within which it must arrive.
 */
public final class ControlServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ControlServer.class.getName());

  /**
   * Most bytes of an oversized body that are read and discarded, so that the sender reads the
   * response.
   */
  private static final int DISCARD_LIMIT = 4 * 1024 * 1024;

  private final HttpServer server;
  private final ExecutorService threads;
  private final ControlRequests requests;
  private final byte @Nullable [] token;

  private ControlServer(HttpServer server, @Nullable String token, ControlRequests requests) {
    this.server = server;
    this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
    this.requests = requests;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("control-", 0).factory());
  }

  /**
   * Opens the endpoint; it accepts requests when this method returns.
   *
   * @param bind port 0 chooses a free one
   * @param token the bearer token that every call except {@code /health} must present; null to
   *     require none, and then to refuse web pages
   * @throws IOException if the address cannot be bound
   */
  public static ControlServer start(
      InetSocketAddress bind, @Nullable String token, ControlRequests requests) throws IOException {
    HttpLimits.apply();
    HttpServer http = create(bind);
    ControlServer server = new ControlServer(http, token, requests);
    HttpContext all = http.createContext("/", server::serve);
    if (token == null) {
      all.getFilters().add(new LocalRequests());
    }
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  private static HttpServer create(InetSocketAddress bind) throws IOException {
    try {
      return HttpServer.create(bind, 128);
    } catch (BindException e) {
      BindException named = new BindException("control port " + bind + ": " + e.getMessage());
      named.initCause(e);
      throw named;
    }
  }

  /** Address of the control port. */
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /** Closes all connections, including those with running requests. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(HttpExchange exchange) {
    try (exchange) {
      String path = exchange.getRequestURI().getRawPath();
      try {
        send(exchange, respond(exchange, path == null ? "" : path));
      } catch (ControlProblem problem) {
        problem.headers().forEach(exchange.getResponseHeaders()::set);
        send(exchange, ControlResponse.problem(problem, path == null ? "" : path));
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "control: the caller disconnected: {0}", e.getMessage());
    }
  }

  private ControlResponse respond(HttpExchange exchange, String path)
      throws ControlProblem, IOException {
    ControlOperation operation = requests.find(exchange.getRequestMethod(), path);
    if (operation == null || operation.lane() != Lane.HEALTH) {
      authenticate(exchange.getRequestHeaders());
    }
    if (operation == null) {
      throw requests.missing(exchange.getRequestMethod(), path);
    }
    // Reads the whole body before taking a place in the lane, which a slow sender would block.
    InputStream body =
        operation.bodyLimit() == 0
            ? InputStream.nullInputStream()
            : body(exchange, operation.bodyLimit());
    return requests.respond(
        operation,
        path,
        exchange.getRequestURI().getRawQuery(),
        body,
        exchange.getRemoteAddress().getAddress());
  }

  private void authenticate(Headers headers) throws ControlProblem {
    if (token == null) {
      return;
    }
    String given = headers.getFirst("Authorization");
    boolean bearer = given != null && given.regionMatches(true, 0, "Bearer ", 0, 7);
    byte[] offered =
        bearer && given != null
            ? given.substring(7).strip().getBytes(StandardCharsets.UTF_8)
            : new byte[0];
    if (!MessageDigest.isEqual(offered, token)) {
      throw new ControlProblem(
          ProblemKind.UNAUTHORIZED,
          (bearer ? "another token" : "no token") + " (expected: Authorization: Bearer TOKEN)",
          Map.of("WWW-Authenticate", "Bearer realm=\"cascade\""));
    }
  }

  private static InputStream body(HttpExchange exchange, int limit)
      throws ControlProblem, IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null
        || !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals("application/json")) {
      throw new ControlProblem(
          ProblemKind.UNSUPPORTED_MEDIA_TYPE,
          (type == null ? "no Content-Type" : "another Content-Type")
              + " (expected: application/json)");
    }
    InputStream input = exchange.getRequestBody();
    byte[] body = input.readNBytes(limit + 1);
    if (body.length > limit) {
      discard(input);
      throw ControlRequests.tooLarge(limit);
    }
    return new ByteArrayInputStream(body);
  }

  private static void discard(InputStream input) throws IOException {
    byte[] scratch = new byte[8_192];
    for (int left = DISCARD_LIMIT; left > 0; ) {
      int read = input.read(scratch);
      if (read < 0) {
        return;
      }
      left -= read;
    }
  }

  private static void send(HttpExchange exchange, ControlResponse response) throws IOException {
    Headers headers = exchange.getResponseHeaders();
    headers.set("Cache-Control", "no-store");
    headers.set("X-Content-Type-Options", "nosniff");
    if (!response.contentType().isEmpty()) {
      headers.set("Content-Type", response.contentType());
    }
    byte[] body = response.body().getBytes(StandardCharsets.UTF_8);
    if (body.length == 0 || exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length);
    try (OutputStream output = exchange.getResponseBody()) {
      output.write(body);
    }
  }
}
