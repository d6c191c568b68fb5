package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.cascade.api.client.BoundedExchange.Bounds;
import io.cascade.orchestrator.time.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestOperations;

@Timeout(30)
class OidcCallsTest {
  private static final int MOST = 1 << 20;

  private final ManualTime time = ManualTime.running();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;
  private final String here;
  private final AtomicInteger moved = new AtomicInteger();

  OidcCallsTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    here = "http://127.0.0.1:" + server.getAddress().getPort();
    serve(
        "/moved",
        exchange -> {
          moved.incrementAndGet();
          answer(exchange, 200, "{}");
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void serve(String path, HttpHandler handler) {
    server.createContext(path, handler);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private RestOperations callsOf(String issuer, Bounds bounds) {
    return new OidcCalls(
            new OidcIssuer(URI.create(issuer), "cascade", "roles", Map.of()),
            time.timekeeper(),
            bounds)
        .operations();
  }

  private void assertFails(RestOperations calls, String path, String why) {
    assertThatThrownBy(() -> calls.getForObject(here + path, String.class))
        .isInstanceOf(ResourceAccessException.class)
        .rootCause()
        .hasMessageContaining(why);
  }

  @Test
  void aRedirectIsNotFollowed() {
    serve(
        "/keys",
        exchange -> {
          exchange.getResponseHeaders().add("Location", here + "/moved");
          answer(exchange, 302, "{}");
        });

    assertFails(callsOf(here, OidcCalls.BOUNDS), "/keys", "redirects");

    assertThat(moved).hasValue(0);
  }

  @Test
  void anAnswerHasABound() {
    serve("/keys", exchange -> answer(exchange, 200, " ".repeat(MOST - 2) + "{}"));
    serve("/more", exchange -> answer(exchange, 200, " ".repeat(MOST - 1) + "{}"));
    RestOperations calls = callsOf(here, OidcCalls.BOUNDS);

    assertThat(calls.getForObject(here + "/keys", String.class)).hasSize(MOST);
    assertFails(calls, "/more", "an answer of more than 1 MiB");
  }

  @Test
  void anAnswerThatDoesNotEndIsGivenUp() {
    serve(
        "/keys",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          while (true) { // until the connection is closed
            exchange.getResponseBody().write(' ');
            exchange.getResponseBody().flush();
          }
        });

    Bounds bounds = new Bounds(Duration.ofMillis(200), Integer.MAX_VALUE);
    assertFails(callsOf(here, bounds), "/keys", "no complete answer within 0.2 s");
  }

  @Test
  void whoDidNotAnswerIsLeftAloneForAWhile() {
    AtomicInteger asked = new AtomicInteger();
    serve(
        "/keys",
        exchange -> {
          boolean isFirst = asked.getAndIncrement() == 0;
          answer(exchange, isFirst ? 503 : 200, "{}");
        });
    RestOperations calls = callsOf(here, OidcCalls.BOUNDS);

    assertFails(calls, "/keys", "503");
    assertFails(calls, "/keys", "the last call");
    assertThat(asked).hasValue(1);
    time.pass(OidcCalls.RETRY_AFTER);
    assertThat(calls.getForObject(here + "/keys", String.class)).isEqualTo("{}");
  }

  @Test
  void keysAreNotAskedForAgainForAWhileWhateverTokensName() {
    AtomicInteger asked = new AtomicInteger();
    serve("/keys", exchange -> answer(exchange, 200, "{\"n\": " + asked.incrementAndGet() + "}"));
    serve("/other", exchange -> answer(exchange, 200, "{}"));
    RestOperations calls = callsOf(here, OidcCalls.BOUNDS);

    assertThat(calls.getForObject(here + "/other", String.class)).isEqualTo("{}");
    for (int token = 0; token < 100; token++) {
      assertThat(calls.getForObject(here + "/keys", String.class)).isEqualTo("{\"n\": 1}");
    }
    assertThat(asked).hasValue(1);
    time.pass(Duration.ofSeconds(30));
    assertThat(calls.getForObject(here + "/keys", String.class)).isEqualTo("{\"n\": 2}");
  }

  @Test
  void anIssuerElsewhereHasNoKeysInClear() {
    assertFails(callsOf("https://login.example.net", OidcCalls.BOUNDS), "/moved", "https://");
    assertThat(moved).hasValue(0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.example.net",
        "http://10.1.2.3:8080",
        "http://localhost.example.net",
        "http://[2001:db8::1]",
        "https:/login",
        "ftp://login.example.net",
        "login.example.net"
      })
  void anIssuerElsewhereHasTls(String issuer) {
    assertThatThrownBy(() -> callsOf(issuer, OidcCalls.BOUNDS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(issuer)
        .hasMessageContaining("expected: https://HOST");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://login.example.net/realms/a",
        "HTTPS://login.example.net",
        "http://localhost:8080",
        "http://127.0.0.1:8080",
        "http://[::1]:8080"
      })
  void anIssuerOnThisMachineNeedsNone(String issuer) {
    assertThat(callsOf(issuer, OidcCalls.BOUNDS)).isNotNull();
  }
}
