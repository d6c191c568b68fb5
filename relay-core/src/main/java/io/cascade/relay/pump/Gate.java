package io.cascade.relay.pump;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Precedes a pump and holds back the source's bytes as its {@link StartGate} demands. The pump does
 * not know the reason: it only asks whether bytes wait in the gate, and reports free room.
 */
abstract class Gate implements SourceListener {
  /** Makes the gate of a pump; null if bytes are forwarded at once. */
  static @Nullable Gate of(StartGate kind, Pump pump, Path spoolFolder) {
    return switch (kind) {
      case StartGate.Open _ -> null;
      case StartGate.WholeDirection whole -> new SpoolGate(pump, spoolFolder, whole.spoolBytes());
      case StartGate.AfterBytes _, StartGate.AfterWindows _, StartGate.Chunks _ ->
          new MemoryGate(pump, kind);
    };
  }

  /** The pump begins to read; bytes may have arrived before. */
  void started() {}

  /** Whether bytes now pass at once. */
  abstract boolean isOpen();

  /** The pump holds less than before, or has a sink. */
  void roomCame() {}

  /** The pump may hold no more, and none of what it holds is being written. */
  void starved() {}

  /**
   * The source failed.
   *
   * @return whether the bytes that arrived may be passed on; then the gate has passed all of them
   *     to the pump
   */
  abstract boolean sourceBroke();

  /** Frees the held bytes. */
  abstract void discard();
}
