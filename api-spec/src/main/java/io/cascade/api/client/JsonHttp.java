package io.cascade.api.client;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON over HTTP to one server: documents out and in, problem documents as {@link
 * ProblemException}, everything that is not a complete answer as {@link UnreachableException}.
 */
final class JsonHttp {
  /** RFC 9110, section 9.2.2. */
  private static final Set<String> IDEMPOTENT = Set.of("GET", "PUT", "DELETE");

  /** A problem document has a few hundred bytes. */
  private static final int MOST_PROBLEM_BYTES = 64 << 10;

  private static final int MOST_LINE_BYTES = 1 << 20;

  private final URI base;
  private final @Nullable String token;
  private final @Nullable ServerAddress server;
  private final @Nullable RelayExchange relay;
  private final List<ServerAddress> beside;
  private final JsonMapper reader;

  JsonHttp(ServerAddress server, @Nullable String token) {
    this(server, token, List.of());
  }

  /**
   * @param beside other servers of the same cluster, whose keys this one may announce
   */
  JsonHttp(ServerAddress server, @Nullable String token, List<ServerAddress> beside) {
    this(server.base(), token, server, null, beside, Json.lenient());
  }

  private JsonHttp(
      URI base,
      @Nullable String token,
      @Nullable ServerAddress server,
      @Nullable RelayExchange relay,
      List<ServerAddress> beside,
      JsonMapper reader) {
    this.base = base;
    this.token = token;
    this.server = server;
    this.relay = relay;
    this.beside = beside;
    this.reader = reader;
  }

  /**
   * Calls that are carried by another protocol than HTTP.
   *
   * @param server name of the server in messages
   */
  static JsonHttp over(RelayExchange exchange, URI server) {
    return new JsonHttp(server, null, null, exchange, List.of(), Json.lenient());
  }

  /** The same for an untrusted server: its documents have a limit of tokens. */
  JsonHttp bounded() {
    return new JsonHttp(base, token, server, relay, beside, Json.bounded());
  }

  /** Sends a call whose answer has a document. */
  <T> T call(
      String method,
      String path,
      @Nullable Object body,
      Class<T> answer,
      BoundedExchange.Bounds bounds,
      Map<String, String> headers) {
    String text = send(method, path, body, bounds, headers);
    String why = "is it a Cascade server of this version?";
    try {
      T document = reader.readValue(text, answer);
      if (document != null) {
        return document;
      }
    } catch (JacksonException e) {
      why = Json.exceeded(e).orElse(why);
    }
    throw unexpected(path, answer, why);
  }

  /** The problem of an answer that does not match the contract. */
  ProblemException unexpected(String path, Class<?> expected, String why) {
    return new ProblemException(
        "about:blank",
        502,
        base + path + " did not answer with a " + expected.getSimpleName() + ": " + why,
        null);
  }

  <T> T call(
      String method,
      String path,
      @Nullable Object body,
      Class<T> answer,
      BoundedExchange.Bounds bounds) {
    return call(method, path, body, answer, bounds, Map.of());
  }

  /** Sends a call with a document, whose answer only reports success. */
  void call(String method, String path, Object body, BoundedExchange.Bounds bounds) {
    send(method, path, body, bounds, Map.of());
  }

  /** Sends a call whose answer only reports success. */
  void call(String method, String path, BoundedExchange.Bounds bounds) {
    send(method, path, null, bounds, Map.of());
  }

  /**
   * The lines of an endless answer, for event streams.
   *
   * @param deadline for the headers
   * @param silence longest time without a byte from then on
   */
  AnswerLines lines(String path, Map<String, String> headers, Duration deadline, Duration silence) {
    HttpRequest request =
        request(path, headers).header("Accept", "text/event-stream").GET().build();
    try {
      BoundedExchange.Open answer = open(request, deadline);
      if (answer.status() < 300) {
        return new AnswerLines(answer.body(), silence, MOST_LINE_BYTES);
      }
      try (answer) {
        throw problem(answer.status(), answer.text(MOST_PROBLEM_BYTES));
      }
    } catch (IOException e) {
      throw new UnreachableException(base, e);
    }
  }

  /**
   * Connects, and sends nothing.
   *
   * @throws UnreachableException where nothing accepts the connection by the deadline
   */
  void reach(Duration deadline) {
    try {
      connections().reach(base, deadline);
    } catch (IOException e) {
      throw new UnreachableException(base, e);
    }
  }

  private String send(
      String method,
      String path,
      @Nullable Object body,
      BoundedExchange.Bounds bounds,
      Map<String, String> headers) {
    String document = body == null ? null : Json.lenient().writeValueAsString(body);
    BoundedExchange.Response answer;
    try {
      answer =
          relay == null
              ? exchange(request(method, path, document, headers), bounds)
              : relay.send(method, path, document, bounds);
    } catch (IOException e) {
      throw new UnreachableException(base, e);
    }
    if (answer.status() >= 300) { // redirects are not followed: the token is for this server only
      throw problem(answer.status(), answer.body());
    }
    return answer.body();
  }

  /**
   * Sends a request. A server may close a kept connection just when it is reused; an idempotent
   * request is then sent once more, within the same deadline. The JDK's client repeats only GET.
   */
  private BoundedExchange.Response exchange(HttpRequest request, BoundedExchange.Bounds bounds)
      throws IOException {
    long end = System.nanoTime() + bounds.deadline().toNanos();
    try {
      return whole(request, bounds);
    } catch (IOException e) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (IDEMPOTENT.contains(request.method()) && endedWithoutAnswer(e) && left.isPositive()) {
        return whole(request, new BoundedExchange.Bounds(left, bounds.bodyBytes()));
      }
      throw e;
    }
  }

  private BoundedExchange.Response whole(HttpRequest request, BoundedExchange.Bounds bounds)
      throws IOException {
    try (BoundedExchange.Open open = open(request, bounds.deadline())) {
      return new BoundedExchange.Response(open.status(), open.text(bounds.bodyBytes()));
    }
  }

  /** Opens an exchange. Announced keys are accepted only over TLS from a verified server. */
  private BoundedExchange.Open open(HttpRequest request, Duration deadline) throws IOException {
    BoundedExchange.Open answer = connections().open(request, deadline);
    if (!answer.pinsOfAll().isEmpty() && "https".equalsIgnoreCase(base.getScheme())) {
      beside.forEach(other -> BoundedExchange.to(other).toldOfAll(answer.pinsOfAll()));
    }
    return answer;
  }

  private BoundedExchange connections() {
    return server == null ? BoundedExchange.shared() : BoundedExchange.to(server);
  }

  private static boolean endedWithoutAnswer(Throwable failure) {
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof EOFException) {
        return true;
      }
    }
    return false;
  }

  private HttpRequest request(
      String method, String path, @Nullable String document, Map<String, String> headers) {
    HttpRequest.Builder request = request(path, headers);
    if (document == null) {
      return request.method(method, BodyPublishers.noBody()).build();
    }
    return request
        .header("Content-Type", "application/json")
        .method(method, BodyPublishers.ofString(document))
        .build();
  }

  private HttpRequest.Builder request(String path, Map<String, String> headers) {
    HttpRequest.Builder request;
    try {
      request = BoundedExchange.request(URI.create(base + path));
    } catch (IllegalArgumentException e) {
      throw new UnreachableException(base, e); // the address has no host that HTTP supports
    }
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request;
  }

  private ProblemException problem(int status, String body) {
    try {
      Problem problem = Json.lenient().readValue(body, Problem.class);
      if (problem == null) {
        return unknown(status);
      }
      String message = problem.detail() != null ? problem.detail() : problem.title();
      return new ProblemException(
          problem.type() == null ? "about:blank" : problem.type(),
          status,
          message,
          problem.chainId(),
          Json.lenient().readValue(body, Retry.class).retryAfterSeconds());
    } catch (JacksonException e) {
      return unknown(status);
    }
  }

  private ProblemException unknown(int status) {
    return new ProblemException(
        "about:blank",
        status,
        base
            + " answered "
            + status
            + ": is it a Cascade server?"
            + (status == 400 && "http".equals(base.getScheme())
                ? " With TLS its address begins with https://"
                : ""),
        null);
  }

  /** The member of a problem document that says when a request may be repeated. */
  private record Retry(@Nullable Long retryAfterSeconds) {}
}
