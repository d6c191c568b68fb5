package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds what relays report of a hop; results are null if they report nothing of it. */
public final class RelayHops {
  private RelayHops() {}

  /** Connections of a hop, as counted by the relay at its start. */
  public static @Nullable HopConnections atStart(RouteHop hop, StreamTotals said) {
    return find(said.outlets(), HopConnections::hop, hop);
  }

  /** Connections of a hop, as counted by the relay at its end. */
  public static @Nullable HopConnections atEnd(RouteHop hop, StreamTotals said) {
    return find(said.inlets(), HopConnections::hop, hop);
  }

  /** Totals of the pipes that begin with a hop. */
  public static @Nullable PipeTotals pipe(RouteHop hop, StreamTotals said) {
    return find(said.pipes(), PipeTotals::hop, hop);
  }

  /** Sessions of a coded hop, as counted by the relay at its start. */
  public static @Nullable CodedHop coded(RouteHop hop, PartStatus said) {
    return find(said.coded(), CodedHop::hop, hop);
  }

  private static <T> @Nullable T find(
      @Nullable List<T> said, Function<T, HopAddress> place, RouteHop hop) {
    return Objects.requireNonNullElse(said, List.<T>of()).stream()
        .filter(one -> place.apply(one).equals(hop.address()))
        .findFirst()
        .orElse(null);
  }
}
