package io.cascade.relay.chain;

/**
 * A chain's part cannot be installed here. The message names the reason and, where there is one,
 * the fix.
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

  /** Kind of obstacle. */
  public enum Kind {
    /** The part contradicts itself. */
    INVALID,
    /** The ingress port belongs to somebody else. */
    PORT_TAKEN,
    /** A later revision is here already. */
    STALE,
    /** Another orchestrator leads now. */
    STALE_EPOCH,
    /** The destination's or the next relay's name has no address. */
    UNRESOLVABLE,
    /** The rules of this relay forbid a connection to the destination. */
    DESTINATION_NOT_ALLOWED,
    /** The next relay did not answer, or does not hold the key. */
    NEXT_RELAY_UNREACHABLE,
    /** An option that this relay's kernel or transport does not offer. */
    UNSUPPORTED,
    /** The relay is shutting down. */
    DRAINING,
    /** The relay holds as many chains as it may. */
    LIMIT
  }
}
