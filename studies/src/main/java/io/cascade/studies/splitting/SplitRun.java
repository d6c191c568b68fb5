package io.cascade.studies.splitting;

import io.cascade.packets.processing.ProcessorCounts;
import io.cascade.studies.experiment.KernelCounts;
import org.jspecify.annotations.Nullable;

/**
 * One run of a cell.
 *
 * @param repetition from 1 on
 * @param seconds that were counted
 * @param bitsPerSecond of payload that the receiver got in them
 * @param splitter what the splitter did; null without one
 * @param combiner what the combiner did; null without one
 * @param queueDrops packets that the paths' queues dropped
 * @param kernel what the sender's kernel counted since it began to connect; null in older results
 * @param load threads that ran or waited for a processor in the last minute
 * @param failure why it says nothing; null otherwise
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

  /** Runs of another length, in whole seconds, are other runs. */
  static String key(SplitCell cell, int repetition, double seconds) {
    return "%s, %d s #%d".formatted(cell.key(), Math.round(seconds), repetition);
  }
}
