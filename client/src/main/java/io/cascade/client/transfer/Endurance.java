package io.cascade.client.transfer;

import java.time.Duration;

/**
 * Time-outs of a transfer.
 *
 * @param patience how long no byte may be moved over a connection before it is closed
 * @param retryFor how long no byte may arrive over any connection before a resumable transfer fails
 * @param persists whether {@code retryFor} also applies before a first connection is established,
 *     for any transfer
 */
record Endurance(Duration patience, Duration retryFor, boolean persists) {
  /** Time-out of one connection of a resumable transfer: another connection may get through. */
  private static final Duration SILENCE = Duration.ofSeconds(20);

  Endurance {
    retryFor = retryFor.compareTo(SILENCE) > 0 ? retryFor : SILENCE;
  }

  static Endurance of(Duration patience) {
    return new Endurance(patience, patience, false);
  }

  /**
   * Returns these time-outs with another {@code retryFor}, which also applies before a first
   * connection.
   */
  Endurance retryingFor(Duration longest) {
    return new Endurance(patience, longest, true);
  }

  /** How long no byte may be moved over one connection of a transfer. */
  Duration ofConnection(boolean resumable) {
    return (resumable || persists) && patience.compareTo(SILENCE) > 0 ? SILENCE : patience;
  }
}
