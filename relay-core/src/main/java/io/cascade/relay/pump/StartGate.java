package io.cascade.relay.pump;

import java.time.Duration;

/**
 * Rule when a direction forwards: at once, or later as the model's relays do ({@code
 * RelayDiscipline}), to compare them.
 *
 * <p>Whatever the gate, what was held back leaves once the source has finished. A gate other than
 * {@link WholeDirection} also lets go when the direction may hold no more and nothing of it is on
 * its way out; while its bytes fit into a quarter of the stream's buffer, only the relay's own
 * memory limit can bring that about. A threshold of bytes and an unfinished chunk also end after a
 * round trip and a half without a byte, and 50 ms at least: the source may wait for an answer, as
 * servers do that speak first.
 */
public sealed interface StartGate {
  /** Forwards at once: cut-through. */
  record Open() implements StartGate {}

  /**
   * Forwards when so much has come; from then on at once.
   *
   * @param bytes more than 0
   */
  record AfterBytes(long bytes) implements StartGate {}

  /**
   * Forwards so many round trips of the hop that the bytes come by after the first of them; from
   * then on at once. The model's W.
   *
   * @param windows more than 0
   * @param otherwise the round trip assumed where the transport cannot tell
   */
  record AfterWindows(int windows, Duration otherwise) implements StartGate {}

  /**
   * Forwards chunks: each leaves when all of it has come, the last one when the source has
   * finished. The model's G.
   *
   * @param bytes more than 0
   */
  record Chunks(long bytes) implements StartGate {}

  /**
   * Forwards when the source has finished: everything is stored first, on disk.
   *
   * @param spoolBytes the most that may be stored
   */
  record WholeDirection(long spoolBytes) implements StartGate {}
}
