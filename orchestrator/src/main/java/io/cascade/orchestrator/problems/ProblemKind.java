package io.cascade.orchestrator.problems;

import java.util.Locale;

/** Kinds of problems, each with its title. Independent of HTTP. */
public enum ProblemKind {
  INVALID_REQUEST("The request is not valid"),
  UNAUTHORIZED("The token is missing or wrong"),
  TOO_MANY_SIGN_INS("Too many failed sign-ins"),
  ISSUER_UNAVAILABLE("The issuer of the token does not answer"),
  TOO_MANY_CALLS("The caller made too many calls"),
  TOO_MANY_CONNECTIONS("The caller has too many connections"),
  TOO_MANY_CHAINS("The caller has too many open chains"),
  FORBIDDEN("The caller's role may not do this"),
  FOREIGN_HOST("The Host header names another host"),
  FOREIGN_ORIGIN("Web pages of other origins get no answer"),
  UNKNOWN_RELAY("No such relay"),
  UNKNOWN_LINK("No such link"),
  UNKNOWN_CHAIN("No such chain"),
  UNKNOWN_GATEWAY("No such gateway"),
  UNKNOWN_KEY("No such key"),
  UNKNOWN_TUNNEL("No such tunnel"),
  UNKNOWN_INVITATION("No such invitation"),
  NOT_INVITED("The invitation is not valid here"),
  INVITATION_USED("The invitation was used already"),
  NO_CERTIFICATE("The orchestrator presents no certificate"),
  CERTIFICATE_OF_THE_OPERATOR("The certificate is from the operator's files"),
  NOT_FOUND("No such resource"),
  METHOD_NOT_ALLOWED("The resource does not allow this method"),
  UPGRADE_REQUIRED("The resource is a WebSocket"),
  NOT_ACCEPTABLE("The resource has no such representation"),
  UNSUPPORTED_MEDIA_TYPE("The body's type is not supported"),
  TOO_LARGE("The request is too large"),
  TOO_MANY_BODIES("Request bodies take all the memory allowed for them"),
  TOO_SLOW("The request took too long to arrive"),
  INTERNAL("The orchestrator failed"),
  CLOSING("The orchestrator is closing"),
  NOT_LEADER("Another orchestrator leads"),
  DATABASE_READ_ONLY("The database accepts no writes"),
  DATABASE_AWAY("The database does not answer"),
  BLOCKED("Part of the orchestrator is blocked"),

  RELAY_SUPERSEDED("A later instance of the relay has its name"),
  RELAY_UNPROVEN("The relay's key did not sign this"),
  RELAY_DOUBLED("Another instance of the same generation has this relay's name"),
  STALE_MESSAGE("A later message of the relay was received"),
  UNKNOWN_INSTANCE("Another instance of the relay is registered"),
  RELAY_IN_USE("A chain uses this relay"),
  GATEWAY_UNPROVEN("The gateway's key did not sign this"),
  GATEWAY_IN_USE("A tunnel uses this gateway"),
  SPLITTER_UNPROVEN("The splitter's key did not sign this"),
  INVALID_TUNNEL("The tunnel cannot be opened as described"),
  PREFIX_TAKEN("Another tunnel routes these addresses elsewhere"),
  RELAY_LOST("The relay is lost"),
  RELAY_DRAINING("The relay is draining"),
  NO_RELAYS("There are no relays to choose from"),
  NO_ROUTE("No route leads to the destination"),
  NOT_BETTER("A cascade is not expected to pay"),
  CHAIN_BUSY("The chain is being worked on"),
  CHAIN_ENDED("The chain has ended"),
  INVALID_DESTINATION("The destination cannot be understood"),
  DESTINATION_NOT_ALLOWED("A relay may not connect to the destination"),
  INVALID_ROUTE("The relays contradict each other"),
  IDEMPOTENCY_KEY_REUSED("The Idempotency-Key was used for something else"),
  RELAY_UNREACHABLE("A relay does not answer"),
  RELAY_REFUSED("A relay refused its part"),
  TOO_MANY_PLANS("Too many plans at once"),
  TOO_MANY_SUBSCRIBERS("Too many subscribers"),
  THROUGHPUT_TEST_REFUSED("A relay accepts no throughput test now"),
  THROUGHPUT_BUDGET_SPENT("A relay's budget for throughput tests is spent"),
  THROUGHPUT_TEST_FAILED("The throughput test gave no result"),

  // Problems of relays, passed on unchanged.
  INVALID_PART("The part cannot be installed as described"),
  PORT_TAKEN("The port is taken"),
  STALE_REVISION("A later revision of the part is installed"),
  STALE_EPOCH("Another orchestrator leads now"),
  UNRESOLVABLE("The name does not resolve there"),
  NEXT_RELAY_UNREACHABLE("The next relay does not answer"),
  UNSUPPORTED("The relay cannot do that"),
  LIMIT_REACHED("A limit of the relay is reached");

  private static final String PREFIX = "urn:cascade:problem:";

  private final String title;

  ProblemKind(String title) {
    this.title = title;
  }

  /** A short title, the same for every problem of the kind. */
  public String title() {
    return title;
  }

  /** URI of the problem, such as {@code urn:cascade:problem:unknown-relay}. */
  public String urn() {
    return PREFIX + name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The kind here that corresponds to a relay's problem. */
  public static ProblemKind ofRelay(String urn) {
    return switch (urn.startsWith(PREFIX) ? urn.substring(PREFIX.length()) : urn) {
      case "invalid-part" -> INVALID_PART;
      case "port-taken" -> PORT_TAKEN;
      case "stale-revision" -> STALE_REVISION;
      case "stale-epoch" -> STALE_EPOCH;
      case "destination-not-allowed" -> DESTINATION_NOT_ALLOWED;
      case "unresolvable" -> UNRESOLVABLE;
      case "next-relay-unreachable" -> NEXT_RELAY_UNREACHABLE;
      case "unsupported" -> UNSUPPORTED;
      case "limit-reached" -> LIMIT_REACHED;
      case "draining" -> RELAY_DRAINING;
      default -> RELAY_REFUSED;
    };
  }
}
