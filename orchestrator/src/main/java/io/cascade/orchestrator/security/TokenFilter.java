package io.cascade.orchestrator.security;

import io.cascade.api.LocalRequests;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets nobody in without the token, where there is one.
 *
 * <p>Where there is none the server is on loopback, and what is left to fear is a browser on this
 * machine that a foreign page leads here under the page's own name (DNS rebinding): such a request
 * carries a foreign Host.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TokenFilter extends OncePerRequestFilter {
  private static final String SCHEME = "Bearer ";

  private final Access access;

  TokenFilter(Access access) {
    this.access = access;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    String token = access.token();
    if (token == null) {
      if (!LocalRequests.isLocal(request.getServerName())) {
        ProblemResponse.write(
            response,
            ProblemKind.FOREIGN_HOST,
            "Host: " + request.getServerName() + " (expected: localhost or an address)");
        return;
      }
    } else if (!isPublic(request)) {
      String given = request.getHeader(HttpHeaders.AUTHORIZATION);
      if (!holds(given, token)) {
        response.setHeader(
            HttpHeaders.WWW_AUTHENTICATE,
            given == null
                ? "Bearer realm=\"cascade\""
                : "Bearer realm=\"cascade\", error=\"invalid_token\"");
        ProblemResponse.write(
            response,
            ProblemKind.UNAUTHORIZED,
            given == null
                ? "this orchestrator asks for a token: give --token or CASCADE_TOKEN"
                : "this is not the token of this orchestrator");
        return;
      }
    }
    rest.doFilter(request, response);
  }

  /**
   * The contract, the health and the dashboard's files, which hold nothing of this system. Judged
   * by the path as it was written and as the server understood it, or {@code /ui/../api} would be
   * public, too.
   */
  private static boolean isPublic(HttpServletRequest request) {
    return isPublic(request.getRequestURI()) && isPublic(request.getServletPath());
  }

  private static boolean isPublic(String path) {
    return path.equals("/openapi.yaml")
        || path.equals("/api/v1/health")
        || path.equals("/")
        || path.equals("/ui")
        || path.startsWith("/ui/");
  }

  /** Compares tokens in a time that does not tell how much was right. */
  private static boolean holds(@Nullable String given, String token) {
    return given != null
        && given.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
        && MessageDigest.isEqual(
            given.substring(SCHEME.length()).getBytes(StandardCharsets.UTF_8),
            token.getBytes(StandardCharsets.UTF_8));
  }
}
