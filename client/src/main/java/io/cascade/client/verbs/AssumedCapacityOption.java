package io.cascade.client.verbs;

import io.cascade.command.BitRate;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Capacity assumed for links that name none. */
final class AssumedCapacityOption {
  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Assume this capacity for links that state none, such as 100Mbit.")
  private @Nullable BitRate capacity;

  /** Returns the capacity; null where none is to be assumed. */
  @Nullable Long bitsPerSecond() {
    return capacity == null ? null : (Long) capacity.bitsPerSecond();
  }
}
