package io.cascade.client.service;

import io.cascade.api.transfers.Problem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A request that is refused. */
final class ServiceProblem extends Exception {
  private static final long serialVersionUID = 1;

  private final Kind kind;

  /** Kinds of problems, with their status and title. */
  enum Kind {
    INVALID_REQUEST(400, "The request is not valid"),
    UNAUTHORIZED(401, "The token is missing or wrong"),
    FILE_NOT_ALLOWED(403, "The service may not send this file"),
    UNKNOWN_TRANSFER(404, "No such transfer"),
    NOT_FOUND(404, "No such resource"),
    METHOD_NOT_ALLOWED(405, "The resource does not allow this method"),
    TOO_LARGE(413, "The request is too large"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body's type is not supported"),
    UNSENDABLE(422, "This cannot be sent"),
    IDEMPOTENCY_KEY_REUSED(422, "The Idempotency-Key was used for another request"),
    TOO_MANY_TRANSFERS(429, "Too many transfers are unfinished"),
    INTERNAL(500, "The service failed"),
    TOO_MANY_STREAMS(503, "Too many streams of events at once"),
    ENDING(503, "The service is stopping");

    private final int status;
    private final String title;

    Kind(int status, String title) {
      this.status = status;
      this.title = title;
    }

    int status() {
      return status;
    }
  }

  /**
   * @param detail what was wrong and what is expected
   */
  ServiceProblem(Kind kind, @Nullable String detail) {
    super(detail);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }

  Problem document() {
    return new Problem(
        "urn:cascade:problem:" + kind.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        kind.title,
        kind.status,
        getMessage());
  }
}
