package io.cascade.relay.stream;

import io.cascade.carriage.transport.SocketTuning;
import java.time.Duration;

/**
 * Settings of the connections to one neighbour.
 *
 * @param silenceTimeout how long what was sent may stay unacknowledged; zero leaves it to the
 *     kernel
 */
public record ConnectionSettings(SocketTuning tuning, Duration silenceTimeout) {}
