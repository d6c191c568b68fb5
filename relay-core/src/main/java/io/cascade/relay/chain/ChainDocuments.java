package io.cascade.relay.chain;

import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.SetupTimings;
import java.net.InetSocketAddress;

/**
 * Describes chains in the words of the relay-control contract.
 *
 * @param advertised the host that clients are told to connect to
 */
record ChainDocuments(Leases leases, String advertised) {

  PartStatus status(InstalledChain chain) {
    InetSocketAddress ingress = chain.ingress();
    boolean unattended = leases.isUnattended(chain);
    return new PartStatus(
        chain.id(),
        unattended ? PartState.UNATTENDED : chain.state(),
        leases.endsAt(chain.lease()),
        ingress == null ? null : advertised,
        ingress == null ? null : ingress.getPort(),
        chain.warmConnections(),
        chain.streams().document(chain.paths()),
        unattended ? leases.aloneLeft(chain.lease()).toMillis() / 1e3 : null,
        CodedHops.of(chain));
  }

  /**
   * @param renewed whether the same part was there already
   */
  InstalledPart installed(InstalledChain chain, boolean renewed, SetupTimings timings) {
    InetSocketAddress ingress = chain.ingress();
    return new InstalledPart(
        chain.id(),
        leases.endsAt(chain.lease()),
        renewed,
        ingress == null ? null : advertised,
        ingress == null ? null : ingress.getPort(),
        chain.warmConnections(),
        timings);
  }
}
