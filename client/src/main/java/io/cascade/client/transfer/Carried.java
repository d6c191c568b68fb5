package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.schedule.Pace;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that a connection of a transfer carried, or several of one way together.
 *
 * @param bytes that arrived
 * @param bitsPerSecond on average, since its beginning
 * @param account the kernel's counters; null where there are none, and for several connections
 */
public record Carried(long bytes, double bitsPerSecond, @Nullable TransferAccount account) {
  static Carried by(TransferConnection connection, long nowNanos) {
    Pace pace = connection.pace();
    return new Carried(pace.bytes(), pace.averageBitsPerSecond(nowNanos), connection.account());
  }

  /** Sum with a later connection of the same way, which ran within the time of this one. */
  Carried with(Carried later) {
    long both = bytes + later.bytes;
    double rate = bytes == 0 ? later.bitsPerSecond : bitsPerSecond * both / bytes;
    return new Carried(both, rate, null);
  }
}
