package io.cascade.api;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import io.cascade.api.relay.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests from web pages to a server on loopback that needs no token.
 *
 * <p>With DNS rebinding, a page lets its own name resolve to 127.0.0.1, so that a browser on this
 * machine sends the page's requests to such a server. The browser then lets the page send any
 * request and read the answers; but the request carries the page's name as its Host. A request from
 * a page to another server than its own carries an Origin.
 *
 * <p>As a filter it refuses both on connections over loopback, with 421 and 403 and a problem
 * document. Programs send the address or {@code localhost} as Host, and no Origin.
 */
public final class LocalRequests extends Filter {
  /** A host with or without a port; IPv6 in brackets, or bare without a port. */
  private static final Pattern LOCAL =
      Pattern.compile(
          "localhost(:\\d*)?|[0-9.]+(:\\d*)?|\\[[^\\]]*\\](:\\d*)?|[0-9a-f.]*:[0-9a-f.]*:[0-9a-f:.]*",
          Pattern.CASE_INSENSITIVE);

  /**
   * Whether a request names this machine as {@code localhost} or by an address.
   *
   * @param host value of its Host header, with or without the port; null if it has none, which
   *     browsers never omit
   */
  public static boolean isLocal(@Nullable String host) {
    return host == null || LOCAL.matcher(host).matches();
  }

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    if (exchange.getLocalAddress().getAddress().isLoopbackAddress()) {
      List<String> hosts = exchange.getRequestHeaders().getOrDefault("Host", List.of());
      String foreign = hosts.stream().filter(host -> !isLocal(host)).findFirst().orElse(null);
      if (foreign != null) {
        refuse(
            exchange,
            Problem.builder()
                .type("urn:cascade:problem:foreign-host")
                .title("The Host header names another host")
                .status(421)
                .detail("Host: " + foreign + " (expected: localhost or an address)")
                .build());
        return;
      }
      if (exchange.getRequestHeaders().containsKey("Origin")) {
        refuse(
            exchange,
            Problem.builder()
                .type("urn:cascade:problem:foreign-origin")
                .title("Web pages get no answer")
                .status(403)
                .detail("the request has an Origin (expected: none)")
                .build());
        return;
      }
    }
    chain.doFilter(exchange);
  }

  @Override
  public String description() {
    return "refuses requests of web pages over loopback";
  }

  private static void refuse(HttpExchange exchange, Problem problem) throws IOException {
    byte[] body = Json.strict().writeValueAsString(problem).getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "application/problem+json");
      exchange.getResponseHeaders().set("Connection", "close"); // the body is not read
      exchange.sendResponseHeaders(problem.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }
}
