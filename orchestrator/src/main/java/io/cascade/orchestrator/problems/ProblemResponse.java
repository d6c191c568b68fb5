package io.cascade.orchestrator.problems;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.Problem;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;

/** Maps each kind of problem to its HTTP status, and writes problems. No other class does. */
public final class ProblemResponse {
  public static final String MEDIA_TYPE = "application/problem+json";

  private ProblemResponse() {}

  public static HttpStatus status(ProblemKind kind) {
    return switch (kind) {
      case INVALID_REQUEST -> HttpStatus.BAD_REQUEST;
      case UNAUTHORIZED -> HttpStatus.UNAUTHORIZED;
      case DESTINATION_NOT_ALLOWED, FORBIDDEN, FOREIGN_ORIGIN, NOT_INVITED -> HttpStatus.FORBIDDEN;
      case FOREIGN_HOST -> HttpStatus.MISDIRECTED_REQUEST;
      case RELAY_UNPROVEN, GATEWAY_UNPROVEN, SPLITTER_UNPROVEN -> HttpStatus.FORBIDDEN;
      case UNKNOWN_RELAY,
          UNKNOWN_INSTANCE,
          UNKNOWN_LINK,
          UNKNOWN_CHAIN,
          UNKNOWN_GATEWAY,
          UNKNOWN_TUNNEL,
          UNKNOWN_KEY,
          UNKNOWN_INVITATION,
          NO_CERTIFICATE,
          NOT_FOUND ->
          HttpStatus.NOT_FOUND;
      case METHOD_NOT_ALLOWED -> HttpStatus.METHOD_NOT_ALLOWED;
      case UPGRADE_REQUIRED -> HttpStatus.UPGRADE_REQUIRED;
      case NOT_ACCEPTABLE -> HttpStatus.NOT_ACCEPTABLE;
      case UNSUPPORTED_MEDIA_TYPE -> HttpStatus.UNSUPPORTED_MEDIA_TYPE;
      case TOO_LARGE -> HttpStatus.CONTENT_TOO_LARGE;
      case TOO_SLOW -> HttpStatus.REQUEST_TIMEOUT;
      case TOO_MANY_PLANS,
          TOO_MANY_SIGN_INS,
          TOO_MANY_CALLS,
          TOO_MANY_CONNECTIONS,
          TOO_MANY_CHAINS ->
          HttpStatus.TOO_MANY_REQUESTS;
      case INTERNAL -> HttpStatus.INTERNAL_SERVER_ERROR;
      case RELAY_SUPERSEDED,
          RELAY_DOUBLED,
          INVITATION_USED,
          CERTIFICATE_OF_THE_OPERATOR,
          STALE_MESSAGE,
          RELAY_IN_USE,
          GATEWAY_IN_USE,
          PREFIX_TAKEN,
          RELAY_LOST,
          RELAY_DRAINING,
          NO_RELAYS,
          NO_ROUTE,
          NOT_BETTER,
          CHAIN_BUSY,
          THROUGHPUT_TEST_REFUSED,
          CHAIN_ENDED,
          PORT_TAKEN,
          STALE_REVISION,
          STALE_EPOCH ->
          HttpStatus.CONFLICT;
      case INVALID_DESTINATION,
          INVALID_ROUTE,
          INVALID_TUNNEL,
          IDEMPOTENCY_KEY_REUSED,
          INVALID_PART,
          UNRESOLVABLE,
          UNSUPPORTED ->
          HttpStatus.UNPROCESSABLE_CONTENT;
      case THROUGHPUT_BUDGET_SPENT -> HttpStatus.TOO_MANY_REQUESTS;
      case RELAY_UNREACHABLE, RELAY_REFUSED, NEXT_RELAY_UNREACHABLE, THROUGHPUT_TEST_FAILED ->
          HttpStatus.BAD_GATEWAY;
      case CLOSING,
          ISSUER_UNAVAILABLE,
          NOT_LEADER,
          DATABASE_READ_ONLY,
          DATABASE_AWAY,
          BLOCKED,
          TOO_MANY_SUBSCRIBERS,
          TOO_MANY_BODIES,
          LIMIT_REACHED ->
          HttpStatus.SERVICE_UNAVAILABLE;
    };
  }

  public static Problem document(ProblemKind kind, String detail, @Nullable UUID chainId) {
    return Problem.builder()
        .type(kind.urn())
        .title(kind.title())
        .status(status(kind).value())
        .detail(detail)
        .chainId(chainId)
        .build();
  }

  /** Writes a problem, for filters and endpoints outside of Spring's handlers. */
  public static void write(HttpServletResponse response, ProblemKind kind, String detail)
      throws IOException {
    response.setStatus(status(kind).value());
    writeBody(response, kind, detail);
  }

  /**
   * Writes a problem that redirects the request, if {@code Location} names another server.
   *
   * @param isKnown whether {@code Location} is set
   */
  public static void redirect(
      HttpServletResponse response, ProblemKind kind, String detail, boolean isKnown)
      throws IOException {
    response.setStatus(isKnown ? HttpStatus.TEMPORARY_REDIRECT.value() : status(kind).value());
    writeBody(response, kind, detail);
  }

  private static void writeBody(HttpServletResponse response, ProblemKind kind, String detail)
      throws IOException {
    byte[] body =
        Json.strict()
            .writeValueAsString(document(kind, detail, null))
            .getBytes(StandardCharsets.UTF_8);
    response.setContentType(MEDIA_TYPE);
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
