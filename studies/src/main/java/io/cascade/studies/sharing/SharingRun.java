package io.cascade.studies.sharing;

import org.jspecify.annotations.Nullable;

/**
 * One flow beside a CUBIC connection, once.
 *
 * @param flow rate of the flow from its first byte until all had arrived, in bit/s; null where it
 *     failed
 * @param beside rate of the CUBIC connection in that time, in bit/s
 * @param busy share of the machine's processors that were busy, 0 to 1
 * @param note why it failed; empty where it did not
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

  /** Share of what both carried that was the flow's. */
  double share() {
    return flow == null ? Double.NaN : flow / (flow + beside);
  }
}
