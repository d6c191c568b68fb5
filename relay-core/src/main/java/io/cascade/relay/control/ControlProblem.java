package io.cascade.relay.control;

import io.cascade.api.relay.Problem;
import java.util.Map;

/** Ends a request with a problem document. Its message is the document's detail. */
final class ControlProblem extends Exception {
  /** Header whose seconds the document repeats. */
  static final String RETRY_AFTER = "Retry-After";

  private final ProblemKind kind;
  private final transient Map<String, String> headers;

  ControlProblem(ProblemKind kind, String detail) {
    this(kind, detail, Map.of());
  }

  ControlProblem(ProblemKind kind, String detail, Map<String, String> headers) {
    super(detail, null, false, false);
    this.kind = kind;
    this.headers = headers;
  }

  int status() {
    return kind.status();
  }

  /** Headers of the response, besides the document. */
  Map<String, String> headers() {
    return headers;
  }

  Problem document(String path) {
    String retryAfter = headers.get(RETRY_AFTER);
    return Problem.builder()
        .type(kind.urn())
        .title(kind.title())
        .status(kind.status())
        .detail(getMessage())
        .instance(path)
        .retryAfterSeconds(retryAfter == null ? null : (Long) Long.parseLong(retryAfter))
        .build();
  }
}
