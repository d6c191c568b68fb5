package io.cascade.relay.chain;

import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.SetupTimings;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Describes chains as records of the relay-control contract.
 *
 * @param advertised the host that clients are told to connect to
 */
record ChainDocuments(Leases leases, String advertised) {

  PartStatus status(InstalledChain chain) {
    InetSocketAddress ingress = chain.ingress();
    boolean unattended = leases.isUnattended(chain);
    return PartStatus.builder()
        .chainId(chain.id())
        .state(unattended ? PartState.UNATTENDED : chain.state())
        .leaseExpiresAt(leases.endsAt(chain.lease()))
        .ingressHost(ingress == null ? null : advertised)
        .ingressPort(ingress == null ? null : ingress.getPort())
        .warmConnections(chain.warmConnections())
        .totals(chain.streams().document(chain.passages()))
        .aloneSecondsLeft(unattended ? leases.aloneLeft(chain.lease()).toMillis() / 1e3 : null)
        .coded(CodedHops.of(chain))
        .sourcesLimited(limitsSources(chain))
        .build();
  }

  /**
   * @param renewed whether the same part was already installed
   */
  InstalledPart installed(InstalledChain chain, boolean renewed, SetupTimings timings) {
    InetSocketAddress ingress = chain.ingress();
    return InstalledPart.builder()
        .chainId(chain.id())
        .leaseExpiresAt(leases.endsAt(chain.lease()))
        .renewed(renewed)
        .ingressHost(ingress == null ? null : advertised)
        .ingressPort(ingress == null ? null : ingress.getPort())
        .warmConnections(chain.warmConnections())
        .timings(timings)
        .sourcesLimited(limitsSources(chain))
        .build();
  }

  /** Null where the part has no ingress port. */
  private static @Nullable Boolean limitsSources(InstalledChain chain) {
    Boolean limits = null;
    for (PartPassage passage : chain.passages()) {
      Ingress ingress = passage.ingress();
      if (ingress != null) {
        limits = Boolean.TRUE.equals(limits) || ingress.allowSources() != null;
      }
    }
    return limits;
  }
}
