package io.cascade.client.transfer;

import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.content.Sha256;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A file that the receiver holds, verified.
 *
 * @param bytes of the file
 * @param wireBytes that the connection carried towards the receiver, header and block lengths
 *     included
 * @param sha256 as both ends computed it
 * @param elapsed from the first byte to the receiver's answer
 * @param account the kernel's counters; null where there are none, or for several connections
 * @param slow the slowest part; null where unknown
 */
public record Sent(
    long bytes,
    long wireBytes,
    Sha256 sha256,
    Duration elapsed,
    @Nullable TransferAccount account,
    @Nullable Bottleneck slow) {
  /** The slowest part was not determined. */
  public Sent(
      long bytes,
      long wireBytes,
      Sha256 sha256,
      Duration elapsed,
      @Nullable TransferAccount account) {
    this(bytes, wireBytes, sha256, elapsed, account, null);
  }
}
