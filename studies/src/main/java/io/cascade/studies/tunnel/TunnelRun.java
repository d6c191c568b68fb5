package io.cascade.studies.tunnel;

import io.cascade.studies.study.MachineLoad;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param repetition from 1
 * @param seconds that were counted
 * @param bitsPerSecond of payload at each receiver during these seconds
 * @param idlePingSeconds mean round trip of a small packet before the transfers; 0 if none was
 *     answered
 * @param loadedPingSeconds the same during the transfers
 * @param loadedPingHighSeconds 95th percentile during the transfers
 * @param retransmissions of the senders' kernels, in segments
 * @param timeouts of the senders' kernels
 * @param spurious segments that were retransmitted although the first copy arrived, as reported by
 *     receivers
 * @param load threads that ran or waited for a processor in the last minute
 * @param failure reason why the run does not count; null if it does
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

  /** Key of a run; runs with another number of whole seconds have other keys. */
  static String key(TunnelCell cell, int repetition, double seconds) {
    return "%s, %d s #%d".formatted(cell.key(), Math.round(seconds), repetition);
  }

  static TunnelRun failed(TunnelCell cell, int repetition, double seconds, String why) {
    double load = MachineLoad.oneMinute();
    return new TunnelRun(cell, repetition, seconds, List.of(), 0, 0, 0, 0, 0, 0, 0, load, why);
  }

  /** Mean rate of a session. */
  double meanBitsPerSecond() {
    return bitsPerSecond.stream().mapToDouble(Double::doubleValue).average().orElse(0);
  }
}
