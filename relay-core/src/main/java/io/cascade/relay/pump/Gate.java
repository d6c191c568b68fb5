package io.cascade.relay.pump;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a pump and keeps back what its source brings, as a {@link StartGate} has it. The
 * pump knows nothing of why; it asks only whether bytes wait before it, and says when it has room.
 */
abstract class Gate implements SourceListener {
  /** The gate for a pump; null where bytes are forwarded at once. */
  static @Nullable Gate of(StartGate kind, Pump pump, Path spoolFolder) {
    return switch (kind) {
      case StartGate.Open _ -> null;
      case StartGate.WholeDirection whole -> new SpoolGate(pump, spoolFolder, whole.spoolBytes());
      case StartGate.AfterBytes _, StartGate.AfterWindows _, StartGate.Chunks _ ->
          new MemoryGate(pump, kind);
    };
  }

  /** The pump begins to read; bytes may have come before. */
  void started() {}

  /** Whether bytes pass at once from now on. */
  abstract boolean isOpen();

  /** The pump holds less than before, or has a sink. */
  void roomCame() {}

  /** The pump may hold no more, and nothing that it holds itself is on its way out. */
  void starved() {}

  /**
   * The source broke.
   *
   * @return whether what came may be handed on, of which all was given to the pump then
   */
  abstract boolean sourceBroke();

  /** Frees what is kept back. */
  abstract void discard();
}
