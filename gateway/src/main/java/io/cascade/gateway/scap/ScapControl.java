package io.cascade.gateway.scap;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.HttpLimits;
import io.cascade.api.Json;
import io.cascade.api.LocalRequests;
import io.cascade.api.scap.PipeEmployment;
import io.cascade.api.scap.ScapPipe;
import io.cascade.api.scap.ScapProblem;
import io.cascade.command.CommandException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Implements the operations of {@code scap.yaml} for a running splitter/combiner. Rejects requests
 * of web pages over loopback, where pipes may be changed.
 */
final class ScapControl implements AutoCloseable {
  private static final String BASE = "/scap/v1";
  private static final Pattern PIPE = Pattern.compile(BASE + "/pipes/([0-9]{1,9})");
  private static final int MOST_BODY_BYTES = 1_024;
  private static final String JSON = "application/json";

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("control-", 0).factory());
  private final ScapHost host;
  private final ScapStatus status;

  private record Response(int code, String type, String body) {
    static Response json(Object value) {
      return new Response(200, JSON, Json.lenient().writeValueAsString(value));
    }

    static Response problem(int code, String type, String title, @Nullable String detail) {
      ScapProblem problem = new ScapProblem("urn:cascade:problem:" + type, title, code, detail);
      return new Response(
          code, "application/problem+json", Json.lenient().writeValueAsString(problem));
    }
  }

  private ScapControl(HttpServer server, ScapHost host) {
    this.server = server;
    this.host = host;
    this.status = new ScapStatus(host);
  }

  /**
   * Starts the server, which answers when this returns.
   *
   * @throws CommandException where the address cannot be bound
   */
  static ScapControl start(InetSocketAddress at, ScapHost host) {
    HttpLimits.apply();
    try {
      ScapControl control = new ScapControl(HttpServer.create(at, 16), host);
      control.server.createContext("/", control::serve).getFilters().add(new LocalRequests());
      control.server.setExecutor(control.threads);
      control.server.start();
      return control;
    } catch (IOException e) {
      throw new CommandException(
          "cannot answer at %s: %s; fix: choose another --control".formatted(at, e.getMessage()),
          e);
    }
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Response answer = answer(exchange);
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.code(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private Response answer(HttpExchange exchange) throws IOException {
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    Matcher pipe = PIPE.matcher(path);
    try {
      if (pipe.matches()) {
        return pipe(exchange, Integer.parseInt(pipe.group(1)));
      }
      if (!exchange.getRequestMethod().equals("GET")) {
        return Response.problem(405, "method-not-allowed", "Only GET is answered here", null);
      }
      return switch (path) {
        case BASE + "/pipes" -> Response.json(host.ask(status::pipes));
        case BASE + "/connections" -> Response.json(host.ask(status::connections));
        case BASE + "/policy" -> Response.json(host.ask(status::policy));
        case BASE + "/metrics", "/metrics" ->
            new Response(200, "text/plain; version=0.0.4", host.ask(() -> ScapMetrics.of(host)));
        default ->
            Response.problem(
                404,
                "not-found",
                "There is nothing at this path",
                "Paths: " + BASE + "/pipes, /connections, /policy, /metrics");
      };
    } catch (CommandException e) {
      return Response.problem(503, "no-answer", String.valueOf(e.getMessage()), null);
    }
  }

  private Response pipe(HttpExchange exchange, int number) throws IOException {
    ScapPipe pipe;
    switch (exchange.getRequestMethod()) {
      case "GET" ->
          pipe = host.ask(() -> number < status.pipes().size() ? status.pipes().get(number) : null);
      case "PUT" -> {
        if (!exchange.getRemoteAddress().getAddress().isLoopbackAddress()) {
          return Response.problem(
              403, "not-local", "Only this machine may change pipes", "Send it over loopback.");
        }
        Boolean employed = employment(exchange);
        if (employed == null) {
          return Response.problem(
              400, "invalid-body", "The body is not understood", "Expected: {\"employed\":false}");
        }
        pipe = host.ask(() -> status.employ(number, employed));
      }
      default -> {
        return Response.problem(405, "method-not-allowed", "GET and PUT are answered here", null);
      }
    }
    return pipe == null
        ? Response.problem(404, "no-such-pipe", "There is no pipe " + number, null)
        : Response.json(pipe);
  }

  private static @Nullable Boolean employment(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES);
    try {
      return Json.lenient().readValue(body, PipeEmployment.class).employed();
    } catch (RuntimeException e) {
      return null; // The caller names what is expected.
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
