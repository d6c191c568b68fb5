package io.cascade.studies.multipath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One measured transfer.
 *
 * @param paths that there were
 * @param way what carried it
 * @param bitsPerSecond of payload at the destination
 * @param worstFiveSeconds the least rate over any 5 s that count, in bit/s
 * @param load of the machine when it ended, one minute's average
 * @param failure null where it was measured
 */
record PathRun(
    String what,
    List<PathShape> paths,
    String way,
    double seconds,
    double bitsPerSecond,
    double worstFiveSeconds,
    double load,
    @Nullable String failure) {}
