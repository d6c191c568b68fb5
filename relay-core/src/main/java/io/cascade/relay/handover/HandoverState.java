package io.cascade.relay.handover;

import io.cascade.carriage.tls.ExportedIdentity;
import io.cascade.relay.chain.ChainSnapshot;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * State that a relay's process leaves to its successor, besides the listening sockets themselves.
 * The sockets follow in this order: the hop port, the ingress ports of the chains that listen, in
 * the order of the chains, and the ports of clients.
 *
 * @param name of the relay: only a process of the same name takes over
 * @param instance that the orchestrator and neighbours know. The successor keeps it with the
 *     chains' keys, so that nothing changes for them
 * @param identity its certificate on encrypted hops, which neighbours know; null if it has none
 * @param proxies protocols of the ports of clients, proxies and rendezvous, in the order of the
 *     sockets
 * @param signing how it signs messages to its orchestrator; null if it does not
 * @param limits that it enforced
 * @param epoch the greatest one of an orchestrator that called it; null if none named one
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
   * @param sequence number after which the successor numbers its messages; above all that this
   *     relay may still send
   */
  public record Signing(String publicKey, long generation, long sequence) {}

  /** Number of sockets that follow. */
  public int sockets() {
    return 1 + (int) chains.stream().filter(ChainSnapshot::listens).count() + proxies.size();
  }
}
