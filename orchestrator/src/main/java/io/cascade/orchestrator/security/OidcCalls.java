package io.cascade.orchestrator.security;

import io.cascade.api.client.BoundedExchange;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.orchestrator.time.Timekeeper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestOperations;
import org.springframework.web.client.RestTemplate;

/**
 * Calls to an OpenID Connect issuer for the keys that verify tokens: over TLS, without redirects,
 * each with a deadline and a size limit for the whole answer. An issuer that did not answer is not
 * called for a while.
 */
final class OidcCalls implements ClientHttpRequestInterceptor {
  /** A configuration or a set of keys has a few kilobytes. */
  static final Bounds BOUNDS = new Bounds(Duration.ofSeconds(5), 1 << 20);

  /** Time for which an issuer that did not answer is not called. */
  static final Duration RETRY_AFTER = Duration.ofSeconds(5);

  /**
   * Time for which an answer is reused: otherwise tokens with invented key ids would each cause a
   * call to the issuer. A new key may take as long to be accepted.
   */
  static final Duration FRESH = Duration.ofSeconds(15);

  private final OidcIssuer issuer;
  private final Timekeeper time;
  private final Bounds bounds;

  /** When the issuer last failed to answer, or answered with an error. */
  private @Nullable Long failedAt;

  private @Nullable Fetched latest;

  private record Fetched(URI from, long mark, BoundedExchange.Response answer) {}

  OidcCalls(OidcIssuer issuer, Timekeeper time, Bounds bounds) {
    this.issuer = issuer;
    this.time = time;
    this.bounds = bounds;
  }

  /** Creates a client with these limits. */
  RestOperations operations() {
    RestTemplate operations = new RestTemplate();
    operations.getInterceptors().add(this);
    return operations;
  }

  /**
   * Calls the issuer, unless it has answered or failed recently: a token with an unknown key id
   * causes its keys to be requested again. Tokens with known keys need no call. Replaces the rest
   * of the chain, which has no deadline for a whole answer.
   */
  @Override
  public synchronized ClientHttpResponse intercept(
      HttpRequest request, byte[] body, ClientHttpRequestExecution rest) throws IOException {
    URI at = request.getURI();
    Fetched known = latest;
    if (known != null && known.from.equals(at) && !time.passed(known.mark, FRESH)) {
      return new Answer(known.answer);
    }
    Long failed = failedAt;
    if (failed != null && !time.passed(failed, RETRY_AFTER)) {
      throw new IOException("it did not answer the last call");
    }
    try {
      BoundedExchange.Response answer = ask(at);
      latest = new Fetched(at, time.mark(), answer);
      return new Answer(answer);
    } catch (IOException e) {
      failedAt = time.mark();
      throw e;
    }
  }

  private BoundedExchange.Response ask(URI at) throws IOException {
    if (!issuer.isSafe(at)) {
      throw new IOException(
          issuer.issuer()
              + " names "
              + at
              + " (expected: https://); fix: change the issuer's configuration");
    }
    BoundedExchange.Response answer =
        BoundedExchange.shared()
            .send(
                java.net.http.HttpRequest.newBuilder(at)
                    .header(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
                    .build(),
                bounds);
    HttpStatusCode status = HttpStatusCode.valueOf(answer.status());
    if (status.is3xxRedirection()) {
      throw new IOException(
          at
              + " redirects ("
              + status
              + "), and redirects are not followed; fix: give --oidc-issuer the address that"
              + " answers"
              + " without one");
    }
    if (!status.is2xxSuccessful()) {
      throw new IOException(at + " answers " + status);
    }
    return answer;
  }

  /** An answer that was received completely. */
  private record Answer(BoundedExchange.Response whole) implements ClientHttpResponse {
    @Override
    public HttpStatusCode getStatusCode() {
      return HttpStatusCode.valueOf(whole.status());
    }

    @Override
    public String getStatusText() {
      return "";
    }

    /** Sets the type JSON, for which issuers use several names. */
    @Override
    public HttpHeaders getHeaders() {
      HttpHeaders headers = new HttpHeaders();
      headers.setContentType(MediaType.APPLICATION_JSON);
      return headers;
    }

    @Override
    public InputStream getBody() {
      return new ByteArrayInputStream(whole.body().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {}
  }
}
