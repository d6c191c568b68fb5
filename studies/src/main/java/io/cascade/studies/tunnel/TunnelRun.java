package io.cascade.studies.tunnel;

import io.cascade.studies.study.MachineLoad;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param repetition from 1 on
 * @param seconds that were counted
 * @param bitsPerSecond of payload that each receiver got in them
 * @param idlePingSeconds round trip of a small packet before the transfers, mean; 0 where none came
 *     back
 * @param loadedPingSeconds the same while they went on
 * @param loadedPingHighSeconds its 95th percentile
 * @param retransmissions of the senders' kernels, in segments
 * @param timeouts of the senders' kernels
 * @param spurious segments that were sent twice although the first arrived, as receivers told
 * @param load threads that ran or waited for a processor in the last minute
 * @param failure why it says nothing; null otherwise
 */
public record TunnelRun(
    TunnelCell cell,
    int repetition,
    double seconds,
    List<Double> bitsPerSecond,
    double idlePingSeconds,
    double loadedPingSeconds,
    double loadedPingHighSeconds,
    long segments,
    long retransmissions,
    long timeouts,
    long spurious,
    double load,
    @Nullable String failure) {
  String key() {
    return key(cell, repetition, seconds);
  }

  /** Runs of another length, in whole seconds, are other runs. */
  static String key(TunnelCell cell, int repetition, double seconds) {
    return "%s, %d s #%d".formatted(cell.key(), Math.round(seconds), repetition);
  }

  static TunnelRun failed(TunnelCell cell, int repetition, double seconds, String why) {
    double load = MachineLoad.oneMinute();
    return new TunnelRun(cell, repetition, seconds, List.of(), 0, 0, 0, 0, 0, 0, 0, load, why);
  }

  /** Rate of a session, on average. */
  double meanBitsPerSecond() {
    return bitsPerSecond.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
