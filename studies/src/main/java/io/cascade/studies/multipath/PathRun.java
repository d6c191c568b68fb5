package io.cascade.studies.multipath;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One measured transfer.
 *
 * @param paths of the network
 * @param way name of the carrier
 * @param bitsPerSecond of payload at the destination
 * @param worstFiveSeconds the least rate over any counted 5 s, in bit/s
 * @param load of the machine when it ended, one minute's average
 * @param failure reason why it was not measured; null if it was
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
