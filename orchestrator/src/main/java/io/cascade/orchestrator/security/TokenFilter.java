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
 * Admits requests with the token or another accepted credential, and passes the caller on to the
 * handlers.
 *
 * <p>An orchestrator that needs no credential listens on loopback only; the remaining threat is a
 * web page in a browser on this machine. A request that reaches the server through DNS rebinding
 * has a foreign Host. A request to the server's own name has a foreign Origin, if it could change
 * state or open a WebSocket.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class TokenFilter extends OncePerRequestFilter {
  private final Access access;
  private final SignIn signIn;
  private final AuditTrail trail;
  private final Strangers strangers;

  /**
   * Limits the entries for one address; the other field limits those for all addresses together.
   */
  private final Allowances toldOfOne;

  private final Allowances toldOfAll;

  /**
   * Limits the entries for failed calls of a caller that changed nothing, which are unlimited
   * themselves.
   */
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
                  + " (expected: a quarter of all connections at most); fix: close some, and try"
                  + " again in 1 s");
        }
      }
      case SignIn.Missing() ->
          refuse(
              response,
              "Bearer realm=\"cascade\"",
              "this orchestrator requires a key; fix: give --token or CASCADE_TOKEN");
      case SignIn.Wrong() ->
          refuse(
              response,
              "Bearer realm=\"cascade\", error=\"invalid_token\"",
              "this is neither the token of this orchestrator nor a key that it accepts; fix: give"
                  + " another one with --token or CASCADE_TOKEN");
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

  /**
   * The foreign Origin of a request; null if it has none or only the server's own, as the
   * dashboard's requests do.
   */
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

  /** Records rejected sign-ins in the trail; limited for each address and in total. */
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
   * Whether the request needs no credential: the contract, the health and the dashboard's files,
   * which contain no data. Both the path as sent and as the server decoded it have to be public, so
   * that {@code /ui/../api} is not.
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
