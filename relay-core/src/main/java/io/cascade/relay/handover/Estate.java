package io.cascade.relay.handover;

import io.cascade.relay.chain.ChainSnapshot;
import io.cascade.relay.tls.IdentityPapers;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a relay leaves to its successor, who has to understand all of it, besides the listening
 * sockets themselves. Those follow in this order: the hop port, then the ingress ports of the
 * chains that listen, as the chains stand, then the ports of proxies.
 *
 * @param name of the relay: only one of the same name inherits
 * @param instance that orchestrator and neighbours know; it goes over with the chains' keys, so
 *     that to them nothing has changed
 * @param papers its certificate on encrypted hops, which neighbours know; null where it has none
 * @param proxies what is spoken on the ports of proxies, in the sockets' order
 * @param signing how it signs what it says to its orchestrator; null where it has none
 */
public record Estate(
    String name,
    UUID instance,
    @Nullable IdentityPapers papers,
    List<ChainSnapshot> chains,
    List<String> proxies,
    @Nullable Signing signing) {
  public Estate {
    chains = List.copyOf(chains);
    proxies = List.copyOf(proxies);
  }

  /**
   * How the relay signs. The secret key is in its identity file.
   *
   * @param sequence after which the successor numbers what it says; beyond all that the relay may
   *     still say itself
   */
  public record Signing(String publicKey, long generation, long sequence) {}

  /** How many sockets follow. */
  public int sockets() {
    return 1 + (int) chains.stream().filter(ChainSnapshot::listens).count() + proxies.size();
  }
}
