package io.cascade.relay.handover;

import io.cascade.carriage.tls.ExportedIdentity;
import io.cascade.relay.chain.ChainSnapshot;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State that a relay's process leaves to its successor, besides the listening sockets themselves.
 * The sockets follow in this order: the hop port, the ingress ports of the chains that listen, as
 * the chains stand, and the ports of clients.
 *
 * @param name of the relay: only a process of the same name takes over
 * @param instance that orchestrator and neighbours know; it goes over with the chains' keys, so
 *     that to them nothing has changed
 * @param identity its certificate on encrypted hops, which neighbours know; null where it has none
 * @param proxies protocols of the ports of clients, proxies and rendezvous, in the sockets' order
 * @param signing how it signs messages to its orchestrator; null where it has none
 * @param limits that it kept to
 * @param epoch the greatest one of an orchestrator that called it; null where none named one
 */
public record HandoverState(
    String name,
    UUID instance,
    @Nullable ExportedIdentity identity,
    List<ChainSnapshot> chains,
    List<String> proxies,
    @Nullable Signing signing,
    TunedLimits limits,
    @Nullable Long epoch) {
  public HandoverState {
    chains = List.copyOf(chains);
    proxies = List.copyOf(proxies);
  }

  /**
   * The relay's signatures. The secret key is in its identity file.
   *
   * @param sequence after which the successor numbers its messages; beyond all that the relay may
   *     still send itself
   */
  public record Signing(String publicKey, long generation, long sequence) {}

  /** Number of sockets that follow. */
  public int sockets() {
    return 1 + (int) chains.stream().filter(ChainSnapshot::listens).count() + proxies.size();
  }
}
