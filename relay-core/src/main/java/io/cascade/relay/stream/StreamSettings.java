package io.cascade.relay.stream;

import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.cascade.relay.transport.SocketTuning;
import java.time.Duration;

/**
 * How a chain's streams are carried.
 *
 * @param bufferBytes the most that is held for one stream, both directions together
 * @param gate when a direction starts to forward
 * @param pump how bytes are moved
 * @param tuning of the stream's connections
 * @param connectTimeout of one onward connection attempt
 * @param multipathTcp whether hops are connected with Multipath TCP
 * @param idleTimeout how long no byte may move; zero for ever
 * @param halfCloseTimeout the same once a direction has ended
 * @param silenceTimeout how long what was sent may stay unacknowledged; zero leaves it to the
 *     kernel
 */
public record StreamSettings(
    long bufferBytes,
    StartGate gate,
    PumpMode pump,
    SocketTuning tuning,
    Duration connectTimeout,
    boolean multipathTcp,
    Duration idleTimeout,
    Duration halfCloseTimeout,
    Duration silenceTimeout) {

  /** Of {@code bufferBytes} where nobody says. */
  public static final long DEFAULT_BUFFER_BYTES = 4L << 20;

  /** The same with another budget. */
  public StreamSettings holding(long otherBytes) {
    return otherBytes == bufferBytes
        ? this
        : new StreamSettings(
            otherBytes,
            gate,
            pump,
            tuning,
            connectTimeout,
            multipathTcp,
            idleTimeout,
            halfCloseTimeout,
            silenceTimeout);
  }
}
