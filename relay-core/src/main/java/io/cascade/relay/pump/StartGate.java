package io.cascade.relay.pump;

import java.time.Duration;

/**
 * When a direction forwards: at once, or later as the model's relays do ({@code RelayDiscipline}),
 * to compare them.
 *
 * <p>Whatever the gate, what was held back leaves once the source has finished. A gate other than
 * {@link WholeDirection} also lets go when the direction may hold no more and nothing of it is on
 * its way out; while its bytes fit into a quarter of the stream's buffer, only the relay's own
 * memory limit can bring that about.
 */
public sealed interface StartGate {
  /** At once: cut-through. */
  record Open() implements StartGate {}

  /**
   * When so much has come; from then on at once.
   *
   * @param bytes more than 0
   */
  record AfterBytes(long bytes) implements StartGate {}

  /**
   * So many round trips of the hop it comes from after its first byte; from then on at once. The
   * model's W.
   *
   * @param windows more than 0
   * @param otherwise the round trip assumed where the transport cannot tell
   */
  record AfterWindows(int windows, Duration otherwise) implements StartGate {}

  /**
   * In chunks: each leaves when all of it has come, the last one when the source has finished. The
   * model's G.
   *
   * @param bytes more than 0
   */
  record Chunks(long bytes) implements StartGate {}

  /**
   * When the source has finished: everything is stored first, on disk.
   *
   * @param spoolBytes the most that may be stored
   */
  record WholeDirection(long spoolBytes) implements StartGate {}
}
