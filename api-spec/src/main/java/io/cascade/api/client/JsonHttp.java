package io.cascade.api.client;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * JSON over HTTP to one server: documents out and in, problem documents as {@link
 * ProblemException}, silence as {@link UnreachableException}.
 */
final class JsonHttp {
  private static final HttpClient HTTP =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .executor(Executors.newVirtualThreadPerTaskExecutor())
          .build();

  private final URI base;
  private final @Nullable String token;

  JsonHttp(URI base, @Nullable String token) {
    String text = base.toString();
    this.base = URI.create(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
    this.token = token;
  }

  /** A call that answers with a document. */
  <T> T call(
      String method,
      String path,
      @Nullable Object body,
      Class<T> answer,
      Duration timeout,
      Map<String, String> headers) {
    String text = send(method, path, body, timeout, headers);
    try {
      return Json.lenient().readValue(text, answer);
    } catch (JacksonException e) {
      throw new ProblemException(
          "about:blank",
          502,
          base
              + path
              + " did not answer with a "
              + answer.getSimpleName()
              + ": is it a Cascade server of this version?",
          null);
    }
  }

  <T> T call(String method, String path, @Nullable Object body, Class<T> answer, Duration timeout) {
    return call(method, path, body, answer, timeout, Map.of());
  }

  /** A call with a document whose answer is of no interest beyond its success. */
  void call(String method, String path, Object body, Duration timeout) {
    send(method, path, body, timeout, Map.of());
  }

  /** A call whose answer is of no interest beyond its success. */
  void call(String method, String path, Duration timeout) {
    send(method, path, null, timeout, Map.of());
  }

  /** The raw bytes of an answer that does not end, for event streams. */
  InputStream stream(String path, Map<String, String> headers) {
    HttpRequest.Builder request =
        request(path, headers).header("Accept", "text/event-stream").GET();
    HttpResponse<InputStream> response = exchange(request.build(), BodyHandlers.ofInputStream());
    if (response.statusCode() >= 400) {
      try (InputStream body = response.body()) {
        throw problem(
            response.statusCode(),
            new String(body.readNBytes(65_536), java.nio.charset.StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UnreachableException(base, e);
      }
    }
    return response.body();
  }

  private String send(
      String method,
      String path,
      @Nullable Object body,
      Duration timeout,
      Map<String, String> headers) {
    HttpRequest.Builder request = request(path, headers).timeout(timeout);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(Json.lenient().writeValueAsString(body)));
    }
    HttpResponse<String> response = exchange(request.build(), BodyHandlers.ofString());
    if (response.statusCode() >= 400) {
      throw problem(response.statusCode(), response.body());
    }
    return response.body();
  }

  private HttpRequest.Builder request(String path, Map<String, String> headers) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path));
    headers.forEach(request::header);
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    return request;
  }

  private <T> HttpResponse<T> exchange(HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return HTTP.send(request, handler);
    } catch (IOException e) {
      throw new UnreachableException(base, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnreachableException(base, e);
    }
  }

  private ProblemException problem(int status, String body) {
    try {
      Problem problem = Json.lenient().readValue(body, Problem.class);
      String message = problem.detail() != null ? problem.detail() : problem.title();
      return new ProblemException(
          problem.type() == null ? "about:blank" : problem.type(),
          status,
          message,
          problem.chainId(),
          Json.lenient().readValue(body, Retry.class).retryAfterSeconds());
    } catch (JacksonException e) {
      return new ProblemException(
          "about:blank", status, base + " answered " + status + ": is it a Cascade server?", null);
    }
  }

  /** When a request may be tried again, as a problem document says beside everything else. */
  private record Retry(@Nullable Long retryAfterSeconds) {}
}
