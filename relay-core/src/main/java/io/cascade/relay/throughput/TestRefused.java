package io.cascade.relay.throughput;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A throughput test that this relay's rules do not allow, or that it cannot run. */
public final class TestRefused extends Exception {
  private final Reason reason;
  private final transient @Nullable Duration retryAfter;

  /** Why. */
  public enum Reason {
    /** Another test runs, or this one was here already. */
    BUSY,
    /** Streams move bulk. */
    STREAMS,
    /** The hour's bytes are used up. */
    BUDGET,
    /** The relay stops. */
    DRAINING,
    /** The other relay is where no hop of this one may lead. */
    FORBIDDEN,
    /** This relay's system cannot do that. */
    UNSUPPORTED,
    /** The request has a value that cannot be. */
    INVALID
  }

  TestRefused(Reason reason, String message, @Nullable Duration retryAfter) {
    super(message);
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  public TestRefused(Reason reason, String message) {
    this(reason, message, null);
  }

  public Reason reason() {
    return reason;
  }

  /** The time after which the same test may be allowed; null where that is unknown, or never. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
