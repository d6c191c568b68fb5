package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.CodedIngress;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.Route;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Writes a chain in the contract's form. */
final class ChainDocument {
  private ChainDocument() {}

  /**
   * @param totals null if the relays were not asked
   */
  static io.cascade.api.orchestrator.Chain of(Chain chain, @Nullable List<RelayTotals> totals) {
    return of(chain, totals, null);
  }

  /**
   * The document for the caller that opened the chain; only that caller gets the key of its coded
   * sessions.
   *
   * @param hop the hop port of a relay by its name
   */
  static io.cascade.api.orchestrator.Chain opened(Chain chain, Function<String, Endpoint> hop) {
    Installation installation = chain.installation();
    String key = installation == null ? null : installation.ingressKey();
    if (installation == null || key == null) {
      return of(chain, null);
    }
    Endpoint at = hop.apply(installation.route().firstRelay());
    return of(chain, null, new CodedIngress(at.host(), at.port(), key));
  }

  private static io.cascade.api.orchestrator.Chain of(
      Chain chain, @Nullable List<RelayTotals> totals, @Nullable CodedIngress coded) {
    synchronized (chain) {
      Installation installation = chain.installation();
      return io.cascade.api.orchestrator.Chain.builder()
          .id(chain.id())
          .name(chain.request().name())
          .state(chain.state())
          .reason(chain.reason())
          .destination(chain.request().destination())
          .relays(chain.relays())
          .route(installation == null ? null : route(installation, chain))
          .ingress(installation == null ? null : installation.ingress())
          .options(chain.request().options())
          .question(ChainQuestion.again(chain.request()))
          .leaseSeconds(chain.leaseSeconds())
          .setup(chain.setup())
          .plan(chain.plan())
          .totals(totals)
          .createdAt(chain.createdAt())
          .updatedAt(chain.updatedAt())
          .trial(chain.trial())
          .codedIngress(coded)
          .build();
    }
  }

  /** The congestion control of the source's own connection is left to the source. */
  private static Route route(Installation installation, Chain chain) {
    return installation
        .route()
        .map(hop ->
            new Hop(
                hop.from(),
                hop.to(),
                hop.hop().transport(),
                hop.leavesRelay()
                    ? HopOverrides.congestionControl(chain, installation.route(), hop.address())
                    : null));
  }
}
