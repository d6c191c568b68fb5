package io.cascade.studies.splitting;

import java.util.Locale;

/**
 * A pipe died while a connection was sending over two.
 *
 * @param pipe that died, 1 or 2
 * @param repetition from 1 on
 * @param beforeBitsPerSecond of payload in the seconds before
 * @param afterBitsPerSecond the same once three seconds had passed
 * @param timeouts of the sender's kernel since then
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
  /** Kind of death. */
  public enum Kind {
    /** Nothing arrives any more, in either direction; no device tells. */
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
