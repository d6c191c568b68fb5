package io.cascade.studies.experiment;

import io.cascade.api.Json;
import io.cascade.api.client.BoundedExchange;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.Problem;
import io.cascade.lab.Site;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * HTTP client for a REST interface inside a site. The project's clients share threads that belong
 * to no site's network, so they cannot be used here. This client opens its connection in the
 * network of the calling thread, and closes it after the answer, since other labs use the same
 * addresses.
 */
public final class SiteHttp {
  private static final int MOST_BYTES = 16 << 20;

  private final Site site;
  private final URI server;
  private final String token;

  public SiteHttp(Site site, URI server, String token) {
    this.site = site;
    this.server = server;
    this.token = token;
  }

  /**
   * Sends a request that is answered with a document.
   *
   * @throws ProblemException if the status is 400 or above
   */
  public <T> T call(
      String method, String path, @Nullable Object body, Class<T> answer, Duration patience)
      throws Exception {
    return Json.lenient()
        .readValue(site.call(() -> exchange(method, path, body, patience)), answer);
  }

  private static ProblemException problem(String call, BoundedExchange.Response answer) {
    @Nullable Problem problem;
    try {
      problem = Json.lenient().readValue(answer.body(), Problem.class);
    } catch (JacksonException e) {
      problem = null;
    }
    return new ProblemException(
        problem == null || problem.type() == null ? "about:blank" : problem.type(),
        answer.status(),
        problem == null || problem.detail() == null
            ? call + " answered " + answer.status() + ": " + answer.body()
            : problem.detail(),
        null);
  }

  private String exchange(String method, String path, @Nullable Object body, Duration patience)
      throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).header("Authorization", "Bearer " + token);
    if (body == null) {
      request.method(method, BodyPublishers.noBody());
    } else {
      request.header("Content-Type", "application/json");
      request.method(method, BodyPublishers.ofString(Json.lenient().writeValueAsString(body)));
    }
    try (BoundedExchange here = BoundedExchange.alone()) {
      BoundedExchange.Response answer =
          here.send(request.build(), new Bounds(patience, MOST_BYTES));
      if (answer.status() >= 400) {
        throw problem(method + " " + path, answer);
      }
      return answer.body();
    }
  }
}
