package io.cascade.relay.stream;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes unique identifiers for streams; they are not secret. Half of an identifier is this relay's,
 * drawn once from the system's source of randomness, on which event loops would block.
 */
public final class StreamIds {
  private static final long OF_THIS_RELAY = UUID.randomUUID().getMostSignificantBits();
  private static final long VARIANT = 0x8000_0000_0000_0000L; // RFC 9562, section 4.1

  private StreamIds() {}

  /** Returns an identifier that was not returned before. */
  public static UUID next() {
    return new UUID(OF_THIS_RELAY, (ThreadLocalRandom.current().nextLong() >>> 2) | VARIANT);
  }
}
