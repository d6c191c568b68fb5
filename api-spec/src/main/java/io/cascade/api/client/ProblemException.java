package io.cascade.api.client;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A server answered with a problem document (RFC 9457), or with an equivalent. */
public final class ProblemException extends RuntimeException {
  private final String type;
  private final int status;
  private final @Nullable UUID chainId;
  private final @Nullable Long retryAfterSeconds;

  public ProblemException(String type, int status, String message, @Nullable UUID chainId) {
    this(type, status, message, chainId, null);
  }

  public ProblemException(
      String type,
      int status,
      String message,
      @Nullable UUID chainId,
      @Nullable Long retryAfterSeconds) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.type = type;
    this.status = status;
    this.chainId = chainId;
  }

  /** The problem's URN; {@code about:blank} if the server sent none. */
  public String type() {
    return type;
  }

  /** Whether the call is for another one of several orchestrators. */
  public boolean isNotOfTheLeader() {
    return type.equals("urn:cascade:problem:not-leader");
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The delay after which the same request may succeed; null if the server did not say. */
  public @Nullable Duration retryAfter() {
    return retryAfterSeconds == null ? null : Duration.ofSeconds(retryAfterSeconds);
  }

  /** The chain that failed, if one was created. */
  public @Nullable UUID chainId() {
    return chainId;
  }
}
