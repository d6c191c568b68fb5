package io.cascade.relay.stream;

import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes unique names for streams; they are no secrets. Half of a name is this relay's, drawn once
 * from the system's source of randomness, for which event loops would wait in turn.
 */
public final class StreamIds {
  private static final long OF_THIS_RELAY = UUID.randomUUID().getMostSignificantBits();
  private static final long VARIANT = 0x8000_0000_0000_0000L; // RFC 9562, section 4.1

  private StreamIds() {}

  /** A name that was not given before. */
  public static UUID next() {
    return new UUID(OF_THIS_RELAY, (ThreadLocalRandom.current().nextLong() >>> 2) | VARIANT);
  }
}
