package io.cascade.relay.control;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.LocalRequests;
import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.TestFailed;
import io.cascade.relay.throughput.TestRefused;
import io.cascade.relay.throughput.ThroughputTesting;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves the relay-control contract. Each request runs on a virtual thread of its own; of each
 * {@link Lane} a bounded number run at once and the others wait their turn. A request takes its
 * turn when it has come whole, so that a slow caller holds none; {@link HttpLimits} bounds how long
 * it may take to come.
 */
public final class ControlServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(ControlServer.class.getName());

  private static final int TURN_SECONDS = 10;

  /**
   * Bytes of an oversized body that are read and dropped, so that its sender reads the response.
   */
  private static final int DISCARD_LIMIT = 4 * 1024 * 1024;

  private final HttpServer server;
  private final ExecutorService threads;
  private final ControlOperations operations;
  private final byte @Nullable [] token;
  private final Map<Lane, Semaphore> turns = new EnumMap<>(Lane.class);

  private ControlServer(HttpServer server, @Nullable String token, ControlOperations operations) {
    this.server = server;
    this.token = token == null ? null : token.getBytes(StandardCharsets.UTF_8);
    this.operations = operations;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("control-", 0).factory());
    for (Lane lane : Lane.values()) {
      if (lane.turns() > 0) {
        turns.put(lane, new Semaphore(lane.turns(), true));
      }
    }
  }

  /**
   * Opens the endpoint; it answers when this returns.
   *
   * @param bind port 0 takes a free one
   * @param token what every call but {@code /health} must bring; null to ask for none, and then to
   *     refuse web pages
   * @param metrics the text of {@code /metrics}
   * @throws IOException where the address cannot be bound
   */
  public static ControlServer start(
      InetSocketAddress bind,
      @Nullable String token,
      ChainParts parts,
      DestinationProbe probe,
      ThroughputTesting tests,
      Supplier<String> metrics)
      throws IOException {
    HttpLimits.apply();
    HttpServer http = create(bind);
    ControlServer server =
        new ControlServer(http, token, new ControlOperations(parts, probe, tests, metrics));
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

  /** Ends all connections, also those whose requests are under way. */
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
      LOG.log(Level.FINE, "control: the caller went away: {0}", e.getMessage());
    }
  }

  private ControlResponse respond(HttpExchange exchange, String path)
      throws ControlProblem, IOException {
    ControlOperation operation = operations.find(exchange.getRequestMethod(), path);
    if (operation == null || operation.lane() != Lane.HEALTH) {
      authenticate(exchange.getRequestHeaders());
    }
    if (operation == null) {
      throw operations.missing(exchange.getRequestMethod(), path);
    }
    ControlOperation.Request request = request(exchange, operation, path);
    Semaphore lane = turns.get(operation.lane());
    if (lane == null) {
      return run(operation, request, path);
    }
    takeTurn(lane, operation.lane().turns());
    try {
      return run(operation, request, path);
    } finally {
      lane.release();
    }
  }

  /** Reads the whole request. */
  private static ControlOperation.Request request(
      HttpExchange exchange, ControlOperation operation, String path)
      throws ControlProblem, IOException {
    UUID id = ControlOperations.identifier(operation, path);
    Map<String, String> parameters =
        parameters(exchange.getRequestURI().getRawQuery(), operation.parameters());
    InputStream body =
        operation.bodyLimit() == 0
            ? InputStream.nullInputStream()
            : body(exchange, operation.bodyLimit());
    return new ControlOperation.Request(
        id, parameters, body, exchange.getRemoteAddress().getAddress());
  }

  private static ControlResponse run(
      ControlOperation operation, ControlOperation.Request request, String path)
      throws ControlProblem {
    try {
      return operation.action().respond(request);
    } catch (PartRefused refused) {
      throw new ControlProblem(
          ProblemKind.of(refused.kind()), String.valueOf(refused.getMessage()));
    } catch (TestRefused refused) {
      Duration retryAfter = refused.retryAfter();
      throw new ControlProblem(
          ProblemKind.of(refused.reason()),
          String.valueOf(refused.getMessage()),
          retryAfter == null
              ? Map.of()
              : Map.of(ControlProblem.RETRY_AFTER, Long.toString(retryAfter.toSeconds() + 1)));
    } catch (TestFailed e) {
      throw new ControlProblem(ProblemKind.THROUGHPUT_TEST_FAILED, String.valueOf(e.getMessage()));
    } catch (UnknownHostException e) {
      throw new ControlProblem(
          ProblemKind.UNRESOLVABLE, e.getMessage() + ": the name does not resolve at this relay");
    } catch (RuntimeException | Error e) { // a class or memory that is missing, too
      LOG.log(Level.SEVERE, "control: " + operation.method() + " " + path + " failed", e);
      throw new ControlProblem(
          ProblemKind.INTERNAL, "the relay's log has the reason (" + operation.method() + ")");
    }
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

  private static void takeTurn(Semaphore lane, int most) throws ControlProblem {
    try {
      if (lane.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ControlProblem(
        ProblemKind.BUSY,
        most + " such requests are under way (expected: try again later)",
        Map.of("Retry-After", "1"));
  }

  private static Map<String, String> parameters(@Nullable String query, java.util.Set<String> known)
      throws ControlProblem {
    Map<String, String> parameters = new HashMap<>();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      if (!known.contains(name)) {
        throw new ControlProblem(
            ProblemKind.INVALID_REQUEST,
            "an unknown query parameter (expected: " + (known.isEmpty() ? "none" : known) + ")");
      }
      if (parameters.put(name, decoded(equals < 0 ? "" : pair.substring(equals + 1))) != null) {
        throw new ControlProblem(
            ProblemKind.INVALID_REQUEST, name + ": given more than once (expected: once)");
      }
    }
    return parameters;
  }

  private static String decoded(String text) throws ControlProblem {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new ControlProblem(ProblemKind.INVALID_REQUEST, "the query is not percent-encoded");
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
      throw new ControlProblem(
          ProblemKind.TOO_LARGE,
          "more than " + limit + " bytes (expected: at most " + limit + ")",
          Map.of("Connection", "close"));
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
