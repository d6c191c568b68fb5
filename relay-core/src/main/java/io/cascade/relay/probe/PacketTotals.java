package io.cascade.relay.probe;

/** Packets that measured nothing, since the process started. Calls come from any thread. */
public interface PacketTotals {

  /** Received packets that were no probes. */
  long malformed();

  /** Answers that no probe was waiting for, because they were late, doubled or forged. */
  long stray();

  /** Probes and answers that the system would not send. */
  long unsent();
}
