package io.cascade.relay.pump;

import java.time.Duration;

/**
 * When a direction starts to forward: the model's W, and the sources' non-pipelined relay.
 *
 * <p>Whatever the gate, a direction starts once its source has finished, and a gate other than
 * {@link WholeDirection} opens when the direction may hold no more.
 */
public sealed interface StartGate {
  /** At once: cut-through. */
  record Open() implements StartGate {}

  /**
   * When so much has come.
   *
   * @param bytes more than 0
   */
  record AfterBytes(long bytes) implements StartGate {}

  /**
   * So many round trips of the hop it comes from after its first byte.
   *
   * @param windows more than 0
   * @param otherwise the round trip assumed where the transport cannot tell
   */
  record AfterWindows(int windows, Duration otherwise) implements StartGate {}

  /**
   * When the source has finished: everything is stored first, on disk.
   *
   * @param spoolBytes the most that may be stored
   */
  record WholeDirection(long spoolBytes) implements StartGate {}
}
