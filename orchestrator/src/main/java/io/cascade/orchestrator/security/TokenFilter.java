package io.cascade.orchestrator.security;

import io.cascade.api.LocalRequests;
import io.cascade.orchestrator.audit.AuditTrail;
import io.cascade.orchestrator.audit.AuditedCall;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Lets in who brings the token or another accepted credential, where there is a token, and says who
 * it is to what answers.
 *
 * <p>Where there is none the server is on loopback, and what is left to fear is a browser on this
 * machine that a foreign page leads here. Under the page's own name (DNS rebinding) such a request
 * carries a foreign Host, and under the server's a foreign Origin wherever it could change
 * something or open a WebSocket.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TokenFilter extends OncePerRequestFilter {
  private final Access access;
  private final SignIn signIn;
  private final AuditTrail trail;
  private final Strangers strangers;

  /** Of one address, and of all together. */
  private final Allowances toldOfOne;

  private final Allowances toldOfAll;

  /** Of what a caller was not allowed or failed at without a change: it may do so for ever. */
  private final Allowances toldOfFailures;

  TokenFilter(
      Access access, SignIn signIn, AuditTrail trail, Strangers strangers, Timekeeper time) {
    this.strangers = strangers;
    this.access = access;
    this.signIn = signIn;
    this.trail = trail;
    this.toldOfOne = new Allowances(time, 1, Duration.ofMinutes(10));
    this.toldOfAll = new Allowances(time, 20, Duration.ofMinutes(1));
    this.toldOfFailures = new Allowances(time, 10, Duration.ofMinutes(1));
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (access.open() && !LocalRequests.isLocal(request.getServerName())) {
      ProblemResponse.write(
          response,
          ProblemKind.FOREIGN_HOST,
          "Host: " + request.getServerName() + " (expected: localhost or an address)");
      return;
    }
    String origin = access.open() ? foreignOrigin(request) : null;
    if (origin != null) {
      ProblemResponse.write(
          response,
          ProblemKind.FOREIGN_ORIGIN,
          "Origin: " + origin + " (expected: none, or this orchestrator's as Host names it)");
      return;
    }
    if (isPublic(request)) {
      rest.doFilter(request, response);
      return;
    }
    switch (signIn.outcome(request.getHeader(HttpHeaders.AUTHORIZATION), request.getRemoteAddr())) {
      case SignIn.Known(Caller caller) -> {
        String owner = caller.owner();
        if (strangers.signedIn(owner, request.getRemoteAddr(), request.getRemotePort())) {
          answer(caller, request, response, rest);
        } else {
          response.setHeader(HttpHeaders.CONNECTION, "close");
          response.setHeader(HttpHeaders.RETRY_AFTER, "1");
          ProblemResponse.write(
              response,
              ProblemKind.TOO_MANY_CONNECTIONS,
              "of "
                  + caller.name()
                  + " (expected: a quarter of all at most); close some, and try again in 1 s");
        }
      }
      case SignIn.Missing() ->
          refuse(
              response,
              "Bearer realm=\"cascade\"",
              "this orchestrator asks for a key: give --token or CASCADE_TOKEN");
      case SignIn.Wrong() ->
          refuse(
              response,
              "Bearer realm=\"cascade\", error=\"invalid_token\"",
              "this is neither the token of this orchestrator nor a key that it accepts: give another"
                  + " one with --token or CASCADE_TOKEN");
      case SignIn.Unavailable(String why, long seconds) -> {
        response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
        ProblemResponse.write(
            response, ProblemKind.ISSUER_UNAVAILABLE, why + "; try again in " + seconds + " s");
      }
      case SignIn.TooMany(long seconds) -> {
        tell(request.getRemoteAddr());
        response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(seconds));
        ProblemResponse.write(
            response,
            ProblemKind.TOO_MANY_SIGN_INS,
            "from " + request.getRemoteAddr() + "; try again in " + seconds + " s");
      }
    }
  }

  /** Null where the request has no Origin but the server's own, as the dashboard's have. */
  private static @Nullable String foreignOrigin(HttpServletRequest request) {
    String own = request.getScheme() + "://" + request.getHeader(HttpHeaders.HOST);
    return Collections.list(request.getHeaders(HttpHeaders.ORIGIN)).stream()
        .filter(origin -> !origin.equalsIgnoreCase(own))
        .findFirst()
        .orElse(null);
  }

  private static void refuse(HttpServletResponse response, String challenge, String why)
      throws IOException {
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, challenge);
    ProblemResponse.write(response, ProblemKind.UNAUTHORIZED, why);
  }

  /** An address that goes on, and many that do, leave few entries. */
  private void tell(String address) {
    if (toldOfOne.take(SignIn.network(address)) == 0 && toldOfAll.take("") == 0) {
      AuditedCall call = new AuditedCall("-", null, address);
      call.isAbout("signIn", null);
      trail.answered(call, HttpStatus.TOO_MANY_REQUESTS.value());
    }
  }

  private void answer(
      Caller caller, HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    AuditedCall call = new AuditedCall(caller.id(), caller.role().name(), request.getRemoteAddr());
    response.setHeader("X-Request-Id", call.requestId().toString());
    int failed = HttpStatus.INTERNAL_SERVER_ERROR.value();
    try {
      ScopedValue.where(Caller.CURRENT, caller)
          .where(AuditedCall.current(), call)
          .call(() -> {
            rest.doFilter(request, response);
            return true;
          });
      failed = 0;
    } catch (ServletException | IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException(e);
    } finally {
      answered(caller, call, failed == 0 ? response.getStatus() : failed);
    }
  }

  private void answered(Caller caller, AuditedCall call, int outcome) {
    boolean failed = outcome >= HttpStatus.BAD_REQUEST.value();
    if (failed && call.isUntold() && toldOfFailures.take(caller.id()) > 0) {
      return;
    }
    trail.answered(call, outcome);
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
}
