package io.cascade.relay.pump;

import java.time.Duration;

/**
 * Rule for when a direction forwards: at once, or later as the model's relays do ({@code
 * RelayDiscipline}), to compare them.
 *
 * <p>Every gate releases what it holds once the source has ended. A gate other than {@link
 * WholeDirection} also opens if the direction may hold no more and no write is in progress. While
 * the gate's bytes fit into a quarter of the stream's buffer, only the relay's own memory limit can
 * cause that. A threshold of bytes and an unfinished chunk also end after a round trip and a half
 * without a byte, and 50 ms at least: the source may wait for an answer, as it does if the server
 * speaks first.
 */
public sealed interface StartGate {
  /** Forwards at once: cut-through. */
  record Open() implements StartGate {}

  /**
   * Forwards once {@code bytes} have arrived; from then on at once.
   *
   * @param bytes more than 0
   */
  record AfterBytes(long bytes) implements StartGate {}

  /**
   * Forwards after the first byte has been held for {@code windows} round trips of the incoming
   * hop; from then on at once. The model's W.
   *
   * @param windows more than 0
   * @param otherwise the round trip assumed if the transport cannot measure it
   */
  record AfterWindows(int windows, Duration otherwise) implements StartGate {}

  /**
   * Forwards chunks: each is sent when all of it has arrived, the last one when the source has
   * ended. The model's G.
   *
   * @param bytes more than 0
   */
  record Chunks(long bytes) implements StartGate {}

  /**
   * Forwards when the source has ended: everything is first stored on disk.
   *
   * @param spoolBytes most bytes that may be stored
   */
  record WholeDirection(long spoolBytes) implements StartGate {}
}
