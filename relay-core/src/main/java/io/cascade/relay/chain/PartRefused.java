package io.cascade.relay.chain;

/**
 * Thrown when a chain's part cannot be installed. The message names the reason and, if there is
 * one, the fix.
 */
public final class PartRefused extends Exception {
  private final Kind kind;

  public PartRefused(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }

  /** Reason for a refusal. */
  public enum Kind {
    /** The part contradicts itself. */
    INVALID,
    /** Another socket holds the ingress port. */
    PORT_TAKEN,
    /** A later revision is already installed. */
    STALE,
    /** Another orchestrator leads now. */
    STALE_EPOCH,
    /** The name of the destination or of the next relay has no address. */
    UNRESOLVABLE,
    /** The rules of this relay forbid a connection to the destination. */
    DESTINATION_NOT_ALLOWED,
    /** The next relay did not answer, or does not hold the hop's key. */
    NEXT_RELAY_UNREACHABLE,
    /** This relay's kernel or transport lacks a requested option. */
    UNSUPPORTED,
    /** The relay is shutting down. */
    DRAINING,
    /** The relay holds as many chains as it may. */
    LIMIT
  }
}
