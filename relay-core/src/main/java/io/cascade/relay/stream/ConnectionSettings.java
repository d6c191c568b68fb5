package io.cascade.relay.stream;

import io.cascade.carriage.transport.SocketTuning;
import java.time.Duration;

/**
 * Settings of the connections to one neighbour.
 *
 * @param silenceTimeout how long what was sent may stay unacknowledged; zero leaves it to the
 *     kernel
 * @param respondsToLoss whether a connection takes another congestion control once its losses call
 *     for that ({@link io.cascade.carriage.transport.LossResponse})
 */
public record ConnectionSettings(
    SocketTuning tuning, Duration silenceTimeout, boolean respondsToLoss) {
  /** Settings of connections that keep their congestion control. */
  public ConnectionSettings(SocketTuning tuning, Duration silenceTimeout) {
    this(tuning, silenceTimeout, false);
  }
}
