package io.cascade.studies.splitting;

import java.util.Locale;

/**
 * Failure of a pipe while a connection sends over two pipes.
 *
 * @param pipe that failed, 1 or 2
 * @param repetition from 1
 * @param beforeBitsPerSecond of payload in the seconds before the failure
 * @param afterBitsPerSecond of payload from the third second after the failure
 * @param timeouts of the sender's kernel since the failure
 * @param load threads that ran or waited for a processor in the last minute
 */
public record DeathRun(
    SplitWay way,
    int pipe,
    Kind kind,
    int repetition,
    double beforeBitsPerSecond,
    double afterBitsPerSecond,
    long timeouts,
    double load) {
  /** Kind of failure. */
  public enum Kind {
    /** Packets are dropped in both directions; no device reports it. */
    PATH_CUT,
    /** The splitter's device loses its carrier. */
    DEVICE_DOWN;

    String words() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  String key() {
    return key(way, pipe, kind, repetition);
  }

  static String key(SplitWay way, int pipe, Kind kind, int repetition) {
    return "%s, path %d, %s #%d".formatted(way.words(), pipe, kind.words(), repetition);
  }
}
