package io.cascade.orchestrator.problems;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that cannot be fulfilled. The message gives the reason and, if there is one, the fix.
 */
public final class Refusal extends RuntimeException {
  private final ProblemKind kind;
  private final @Nullable UUID chainId;

  public Refusal(ProblemKind kind, String message) {
    this(kind, message, null);
  }

  /**
   * @param chainId the chain that failed, if one was created
   */
  public Refusal(ProblemKind kind, String message, @Nullable UUID chainId) {
    super(message);
    this.kind = kind;
    this.chainId = chainId;
  }

  public ProblemKind kind() {
    return kind;
  }

  public String reason() {
    return String.valueOf(getMessage());
  }

  public @Nullable UUID chainId() {
    return chainId;
  }

  /** The same refusal, with the id of its chain. */
  public Refusal of(UUID chain) {
    return new Refusal(kind, reason(), chain);
  }
}
