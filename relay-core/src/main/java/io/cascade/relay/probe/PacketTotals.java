package io.cascade.relay.probe;

/** Packets that measured nothing, since the process started. Calls may come from any thread. */
public interface PacketTotals {

  /** Received packets that were no probes. */
  long malformed();

  /** Answers for which no probe was waiting, because they were late, duplicated or forged. */
  long stray();

  /** Probes and answers that the system did not send. */
  long unsent();
}
