package io.cascade.client.transfer;

import java.time.Duration;

/**
 * How long a transfer waits, and for what.
 *
 * @param patience how long not a single byte may move over a connection before it is given up
 * @param retryFor how long none may arrive over any before a resumable transfer is
 * @param persists whether that holds before a first connection could be made as well, of any
 *     transfer
 */
record Endurance(Duration patience, Duration retryFor, boolean persists) {
  /**
   * A connection of a resumable transfer on which nothing moved for so long is given up: another
   * one may come through.
   */
  private static final Duration SILENCE = Duration.ofSeconds(20);

  Endurance {
    retryFor = retryFor.compareTo(SILENCE) > 0 ? retryFor : SILENCE;
  }

  static Endurance of(Duration patience) {
    return new Endurance(patience, patience, false);
  }

  /** The same, going on trying for another time, also before a first connection. */
  Endurance retryingFor(Duration longest) {
    return new Endurance(patience, longest, true);
  }

  /** How long nothing may move over one connection of a transfer. */
  Duration ofConnection(boolean resumable) {
    return (resumable || persists) && patience.compareTo(SILENCE) > 0 ? SILENCE : patience;
  }
}
