package io.cascade.relay.stream;

import io.cascade.carriage.transport.SocketTuning;
import java.time.Duration;

/**
 * Settings of the connections to one neighbour.
 *
 * @param silenceTimeout how long sent data may stay unacknowledged; zero for the kernel's default
 * @param respondsToLoss whether a connection may change its congestion control in response to
 *     losses ({@link io.cascade.carriage.transport.LossResponse})
 */
public record ConnectionSettings(
    SocketTuning tuning, Duration silenceTimeout, boolean respondsToLoss) {
  /** Settings of connections that keep their congestion control. */
  public ConnectionSettings(SocketTuning tuning, Duration silenceTimeout) {
    this(tuning, silenceTimeout, false);
  }
}
