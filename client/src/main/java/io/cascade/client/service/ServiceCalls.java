package io.cascade.client.service;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.Json;
import io.cascade.api.Validation;
import io.cascade.api.transfers.TransferList;
import io.cascade.api.transfers.TransferRequest;
import io.cascade.api.transfers.TransferState;
import io.cascade.client.api.Sender;
import io.cascade.client.service.ServiceProblem.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/** Handles the calls of a service, as its contract says. */
final class ServiceCalls {
  private static final String BASE = "/api/v1";
  private static final String TRANSFERS = BASE + "/transfers";
  private static final Pattern TRANSFER = Pattern.compile(TRANSFERS + "/([0-9a-fA-F-]{36})");
  private static final String EVENTS = BASE + "/events";
  private static final int MOST_BODY_BYTES = 16 * 1_024;
  private static final int MOST_KEY_CHARACTERS = 128;
  private static final String JSON = "application/json";

  private final TransferTable table;
  private final Outgoing outgoing;
  private final Runs runs;
  private final ServiceToken token;
  private final EventStreams streams;

  ServiceCalls(TransferTable table, Outgoing outgoing, Runs runs, ServiceToken token) {
    this.table = table;
    this.outgoing = outgoing;
    this.runs = runs;
    this.token = token;
    this.streams = new EventStreams(table);
  }

  /** Answers one request. */
  void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Cache-Control", "no-store");
      headers.set("X-Content-Type-Options", "nosniff");
      try {
        respond(exchange);
      } catch (ServiceProblem problem) {
        refuse(exchange, problem);
      } catch (IOException | RuntimeException e) {
        refuse(exchange, new ServiceProblem(Kind.INTERNAL, e.toString()));
      }
    }
  }

  private void respond(HttpExchange exchange) throws ServiceProblem, IOException {
    if (!token.isIn(exchange.getRequestHeaders().getFirst("Authorization"))) {
      throw new ServiceProblem(
          Kind.UNAUTHORIZED, "no token, or a wrong one (expected: Authorization: Bearer TOKEN)");
    }
    String path = String.valueOf(exchange.getRequestURI().getRawPath());
    String method = exchange.getRequestMethod();
    Matcher one = TRANSFER.matcher(path);
    if (one.matches()) {
      ServedTransfer transfer = table.find(uuid(one.group(1)));
      requireOneOf(exchange, "GET", "DELETE");
      if (method.equals("DELETE")) {
        runs.stop(transfer);
      }
      send(exchange, 200, JSON, table.document(transfer));
      return;
    }
    switch (path) {
      case TRANSFERS -> {
        requireOneOf(exchange, "GET", "POST");
        if (method.equals("POST")) {
          start(exchange);
        } else {
          String state = query(exchange, "state");
          send(exchange, 200, JSON, new TransferList(table.list(state(state))));
        }
      }
      case EVENTS -> {
        requireOneOf(exchange, "GET");
        String only = query(exchange, "transfer");
        streams.serve(exchange, only == null ? null : table.find(uuid(only)));
      }
      default ->
          throw new ServiceProblem(
              Kind.NOT_FOUND, "paths: %s, %s/ID, %s".formatted(TRANSFERS, TRANSFERS, EVENTS));
    }
  }

  private void start(HttpExchange exchange) throws ServiceProblem, IOException {
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    if (key != null && (key.isBlank() || key.length() > MOST_KEY_CHARACTERS)) {
      throw new ServiceProblem(
          Kind.INVALID_REQUEST,
          "Idempotency-Key: %d characters (expected: 1 to %d)"
              .formatted(key.length(), MOST_KEY_CHARACTERS));
    }
    TransferRequest request = request(exchange);
    ServedTransfer known = table.madeBy(key, request);
    TransferTable.Submission submitted =
        known == null ? submit(request, key) : new TransferTable.Submission(known, false);
    ServedTransfer transfer = submitted.transfer();
    if (submitted.isNew()) {
      runs.begin(transfer);
      exchange.getResponseHeaders().set("Location", TRANSFERS + "/" + transfer.id());
    }
    send(exchange, submitted.isNew() ? 201 : 200, JSON, table.document(transfer));
  }

  private TransferTable.Submission submit(TransferRequest request, @Nullable String key)
      throws ServiceProblem, IOException {
    Sender _ = outgoing.sender(request); // Throws where the request is invalid.
    Path _ = outgoing.file(request);
    if (runs.isEnding()) {
      throw new ServiceProblem(
          Kind.ENDING, "the service is stopping; fix: try again when it was started again");
    }
    return table.submit(request, key, outgoing.to(request));
  }

  private static TransferRequest request(HttpExchange exchange) throws ServiceProblem, IOException {
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type == null || !type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT).equals(JSON)) {
      throw new ServiceProblem(Kind.UNSUPPORTED_MEDIA_TYPE, "expected: Content-Type: " + JSON);
    }
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BODY_BYTES + 1);
    if (body.length > MOST_BODY_BYTES) {
      // The rest of the request is not read.
      exchange.getResponseHeaders().set("Connection", "close");
      throw new ServiceProblem(
          Kind.TOO_LARGE, "more than %d bytes (expected: fewer)".formatted(MOST_BODY_BYTES));
    }
    TransferRequest request;
    try {
      request = Json.strict().readValue(body, TransferRequest.class);
    } catch (JacksonException e) { // The exception's message may contain the code.
      String at =
          e.getPath().stream()
              .map(step -> String.valueOf(step.getPropertyName()))
              .collect(Collectors.joining("."));
      throw new ServiceProblem(
          Kind.INVALID_REQUEST,
          at.isEmpty() ? "not JSON, or no object" : at + ": unknown, or of another type");
    }
    if (request == null) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, "null (expected: an object)");
    }
    List<String> violations = Validation.violations(request);
    if (!violations.isEmpty()) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, String.join("; ", violations));
    }
    return request;
  }

  private static void requireOneOf(HttpExchange exchange, String... expected)
      throws ServiceProblem {
    if (!Arrays.asList(expected).contains(exchange.getRequestMethod())) {
      exchange.getResponseHeaders().set("Allow", String.join(", ", expected));
      throw new ServiceProblem(
          Kind.METHOD_NOT_ALLOWED, "expected: " + String.join(" or ", expected));
    }
  }

  private static UUID uuid(String text) throws ServiceProblem {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, "the transfer: not a UUID");
    }
  }

  private static @Nullable TransferState state(@Nullable String name) throws ServiceProblem {
    if (name == null) {
      return null;
    }
    return Arrays.stream(TransferState.values())
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new ServiceProblem(
                Kind.INVALID_REQUEST,
                "state: expected one of " + Arrays.toString(TransferState.values())));
  }

  /** A parameter of the query, none of which needs decoding; null where it is absent. */
  private static @Nullable String query(HttpExchange exchange, String name) throws ServiceProblem {
    String query = exchange.getRequestURI().getRawQuery();
    if (query == null) {
      return null;
    }
    Map.Entry<String, String> given =
        Map.entry(query.split("=", 2)[0], query.indexOf('=') < 0 ? "" : query.split("=", 2)[1]);
    if (!given.getKey().equals(name)) {
      throw new ServiceProblem(Kind.INVALID_REQUEST, "query: expected " + name + " alone");
    }
    return given.getValue();
  }

  private static void refuse(HttpExchange exchange, ServiceProblem problem) throws IOException {
    if (exchange.getResponseCode() != -1) {
      return; // The answer has begun and cannot be changed: the connection ends.
    }
    if (problem.kind() == Kind.UNAUTHORIZED) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer realm=\"cascade\"");
    }
    send(exchange, problem.kind().status(), "application/problem+json", problem.document());
  }

  private static void send(HttpExchange exchange, int status, String type, Object document)
      throws IOException {
    // The newline helps users of curl.
    String text = Json.strict().writeValueAsString(document) + "\n";
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }
}
