package io.cascade.relay.throughput;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Thrown for a throughput test that this relay's rules do not allow, or that it cannot run. */
public final class TestRefused extends Exception {
  private final Reason reason;
  private final transient @Nullable Duration retryAfter;

  /** Reason of a refusal. */
  public enum Reason {
    /** Another test runs, or this one was already requested. */
    BUSY,
    /** Streams move bulk. */
    STREAMS,
    /** The hour's bytes are used up. */
    BUDGET,
    /** The relay is stopping. */
    DRAINING,
    /** The other relay's address is not allowed for hops. */
    FORBIDDEN,
    /** This relay's system does not support the test. */
    UNSUPPORTED,
    /** The request has an invalid value. */
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

  /** Time after which the same test may be allowed; null if unknown, or never. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
