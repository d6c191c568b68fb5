package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.HopTransport;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.RelayTotals;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.Segment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a chain as the contract has it. */
final class ChainDocument {
  private ChainDocument() {}

  /**
   * @param totals null where nobody asked the relays
   */
  static io.cascade.api.orchestrator.Chain of(Chain chain, @Nullable List<RelayTotals> totals) {
    synchronized (chain) {
      Installation installation = chain.installation();
      return new io.cascade.api.orchestrator.Chain(
          chain.id(),
          chain.request().name(),
          chain.state(),
          chain.reason(),
          chain.request().destination(),
          chain.relays(),
          installation == null ? null : route(installation, chain),
          installation == null ? null : installation.ingress(),
          chain.request().options(),
          ChainQuestion.again(chain.request()),
          chain.leaseSeconds(),
          chain.setup(),
          chain.plan(),
          totals,
          chain.createdAt(),
          chain.updatedAt(),
          chain.trial());
    }
  }

  /** One segment of one pipe. The source's own connection is not ours to tune. */
  private static Route route(Installation installation, Chain chain) {
    List<Hop> hops = new ArrayList<>();
    String from = "source";
    for (String relay : installation.relays()) {
      boolean ours = !hops.isEmpty();
      HopTransport transport =
          ours && installation.encrypted() ? HopTransport.TLS : HopTransport.TCP;
      hops.add(new Hop(from, relay, transport, ours ? control(chain, hops) : null));
      from = relay;
    }
    hops.add(new Hop(from, "destination", HopTransport.TCP, control(chain, hops)));
    return new Route(List.of(new Segment(List.of(new Pipe(hops)))));
  }

  /** Congestion control of the hop behind these, the first of which is the source's own. */
  private static @Nullable String control(Chain chain, List<Hop> before) {
    return HopOverrides.congestionControl(chain, before.size() - 1);
  }
}
