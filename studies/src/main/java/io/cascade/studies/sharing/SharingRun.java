package io.cascade.studies.sharing;

import org.jspecify.annotations.Nullable;

/**
 * One flow beside a CUBIC connection, once.
 *
 * @param flow rate from the flow's first byte until all bytes had arrived, in bit/s; null if it
 *     failed
 * @param beside rate of the CUBIC connection in that time, in bit/s
 * @param busy share of the machine's processors that were busy, 0 to 1
 * @param note reason of its failure; empty if it succeeded
 */
record SharingRun(
    SharingPath path,
    SharingFlow what,
    int repetition,
    @Nullable Double flow,
    double beside,
    double busy,
    String note) {
  String key() {
    return key(path, what, repetition);
  }

  static String key(SharingPath path, SharingFlow what, int repetition) {
    return path + " " + what + " " + repetition;
  }

  /** The flow's share of the sum of both rates. */
  double share() {
    return flow == null ? Double.NaN : flow / (flow + beside);
  }
}
