package io.cascade.studies.splitting;

import io.cascade.packets.processing.ProcessorCounts;
import io.cascade.studies.experiment.KernelCounts;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param repetition from 1
 * @param seconds that were counted
 * @param bitsPerSecond of payload at the receiver during these seconds
 * @param splitter counters of the splitter; null without one
 * @param combiner counters of the combiner; null without one
 * @param queueDrops packets that the paths' queues dropped
 * @param kernel counters of the sender's kernel since the connection attempt; null in older results
 * @param load threads that ran or waited for a processor in the last minute
 * @param failure reason why the run does not count; null if it does
 */
public record SplitRun(
    SplitCell cell,
    int repetition,
    double seconds,
    double bitsPerSecond,
    @Nullable ProcessorCounts splitter,
    @Nullable ProcessorCounts combiner,
    long queueDrops,
    @Nullable KernelCounts kernel,
    double load,
    @Nullable String failure) {
  String key() {
    return key(cell, repetition, seconds);
  }

  /** Key of a run; runs with another number of whole seconds have other keys. */
  static String key(SplitCell cell, int repetition, double seconds) {
    return "%s, %d s #%d".formatted(cell.key(), Math.round(seconds), repetition);
  }
}
