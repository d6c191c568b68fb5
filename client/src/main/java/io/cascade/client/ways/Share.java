package io.cascade.client.ways;

import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.TransferAccount;
import io.cascade.client.transfer.Carried;
import io.cascade.client.transfer.FileTransfer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a transfer that one way carried.
 *
 * @param relays that it passed; empty for the direct way, and where different chains carried parts
 *     of it
 * @param account of the connection to the first of them, or to the destination; null where the
 *     kernel does not count, or there were several connections
 */
public record Share(
    long bytes, double bitsPerSecond, List<String> relays, @Nullable TransferAccount account) {

  /** What one way of a transfer without relays carried; null for nothing. */
  public static @Nullable Share of(FileTransfer transfer, String way) {
    return of(transfer.share(way).orElse(null), null);
  }

  /** What a way carried; null for nothing. */
  public static @Nullable Share of(@Nullable Carried share, @Nullable Chain chain) {
    return share == null
        ? null
        : new Share(
            share.bytes(),
            share.bitsPerSecond(),
            chain == null ? List.of() : chain.relays(),
            share.account());
  }
}
