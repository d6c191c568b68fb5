package io.cascade.relay.stream;

import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import java.time.Duration;

/**
 * Settings by which a chain's streams are carried.
 *
 * @param bufferBytes most bytes held for one stream, both directions together
 * @param gate when a direction starts to forward
 * @param pump how bytes are moved
 * @param inlet the connection to the previous relay, or to the client
 * @param onward the connection to the next relay, or to the destination
 * @param connectTimeout of one onward connection attempt
 * @param idleTimeout longest time in which no byte moves; zero for no limit
 * @param halfCloseTimeout the same once a direction has ended
 */
public record StreamSettings(
    long bufferBytes,
    StartGate gate,
    PumpMode pump,
    ConnectionSettings inlet,
    ConnectionSettings onward,
    Duration connectTimeout,
    Duration idleTimeout,
    Duration halfCloseTimeout) {

  /** Default of {@code bufferBytes}. */
  public static final long DEFAULT_BUFFER_BYTES = 4L << 20;

  /** Returns the same settings with another buffer size. */
  public StreamSettings holding(long otherBytes) {
    return otherBytes == bufferBytes
        ? this
        : new StreamSettings(
            otherBytes, gate, pump, inlet, onward, connectTimeout, idleTimeout, halfCloseTimeout);
  }

  /** Returns the same settings with another idle time-out. */
  public StreamSettings idleFor(Duration otherTimeout) {
    return new StreamSettings(
        bufferBytes, gate, pump, inlet, onward, connectTimeout, otherTimeout, halfCloseTimeout);
  }

  /** Shortest silence after which a peer counts as lost; zero if none does. */
  Duration shortestSilence() {
    Duration ofInlet = inlet.silenceTimeout();
    Duration ofOnward = onward.silenceTimeout();
    if (ofInlet.isZero()) {
      return ofOnward;
    }
    return ofOnward.isZero() || ofInlet.compareTo(ofOnward) < 0 ? ofInlet : ofOnward;
  }
}
