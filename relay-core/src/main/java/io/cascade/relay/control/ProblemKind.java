package io.cascade.relay.control;

import io.cascade.relay.chain.PartRefused;
import io.cascade.relay.throughput.TestRefused;
import java.util.Locale;

/** Every kind of problem that the control endpoint answers with, its status and its title. */
enum ProblemKind {
  INVALID_REQUEST(400, "The request is not valid"),
  UNAUTHORIZED(401, "The token is missing or wrong"),
  UNKNOWN_CHAIN(404, "No such chain part here"),
  NOT_FOUND(404, "No such resource"),
  METHOD_NOT_ALLOWED(405, "The resource does not allow this method"),
  TOO_LARGE(413, "The request is too large"),
  UNSUPPORTED_MEDIA_TYPE(415, "The body's type is not supported"),
  TOO_MANY_PROBES(429, "Too many probes at once"),
  INTERNAL(500, "The relay failed"),
  BUSY(503, "Too many requests at once"),
  BLOCKED(503, "Part of the relay is blocked"),

  INVALID_PART(422, "The part cannot be installed as described"),
  PORT_TAKEN(409, "The port is taken"),
  STALE_REVISION(409, "A later revision of the part is installed"),
  STALE_EPOCH(409, "Another orchestrator leads now"),
  DESTINATION_NOT_ALLOWED(403, "This relay may not connect there"),
  UNRESOLVABLE(422, "The name does not resolve here"),
  NEXT_RELAY_UNREACHABLE(502, "The next relay does not answer"),
  UNSUPPORTED(422, "This relay cannot do that"),
  DRAINING(503, "The relay is draining"),
  LIMIT_REACHED(503, "A limit of this relay is reached"),

  THROUGHPUT_TEST_REFUSED(409, "No throughput test now"),
  THROUGHPUT_BUDGET_SPENT(
      429, "The relay's budget for throughput tests is spent", "throughput-test-refused"),
  THROUGHPUT_TEST_FAILED(502, "The throughput test gave no result");

  private final int status;
  private final String title;
  private final String name;

  ProblemKind(int status, String title) {
    this.status = status;
    this.title = title;
    this.name = name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Makes a kind that shares its name with others and differs in its status. */
  ProblemKind(int status, String title, String name) {
    this.status = status;
    this.title = title;
    this.name = name;
  }

  static ProblemKind of(TestRefused.Reason refusal) {
    return switch (refusal) {
      case BUSY, STREAMS -> THROUGHPUT_TEST_REFUSED;
      case BUDGET -> THROUGHPUT_BUDGET_SPENT;
      case DRAINING -> DRAINING;
      case FORBIDDEN -> DESTINATION_NOT_ALLOWED;
      case UNSUPPORTED -> UNSUPPORTED;
      case INVALID -> INVALID_REQUEST;
    };
  }

  static ProblemKind of(PartRefused.Kind refusal) {
    return switch (refusal) {
      case INVALID -> INVALID_PART;
      case PORT_TAKEN -> PORT_TAKEN;
      case STALE -> STALE_REVISION;
      case STALE_EPOCH -> STALE_EPOCH;
      case UNRESOLVABLE -> UNRESOLVABLE;
      case DESTINATION_NOT_ALLOWED -> DESTINATION_NOT_ALLOWED;
      case NEXT_RELAY_UNREACHABLE -> NEXT_RELAY_UNREACHABLE;
      case UNSUPPORTED -> UNSUPPORTED;
      case DRAINING -> DRAINING;
      case LIMIT -> LIMIT_REACHED;
    };
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  /** URI of the problem, such as {@code urn:cascade:problem:port-taken}. */
  String urn() {
    return "urn:cascade:problem:" + name;
  }
}
