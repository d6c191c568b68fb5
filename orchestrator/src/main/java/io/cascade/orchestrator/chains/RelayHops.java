package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.orchestrator.PipeState;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hops of a route in the words of the relay-control contract. */
public final class RelayHops {
  private RelayHops() {}

  static io.cascade.api.relay.HopAddress address(HopAddress hop) {
    return new io.cascade.api.relay.HopAddress(hop.segment(), hop.pipe(), hop.hop());
  }

  /** Connections of a hop, as the relay at its start counts them; null where it says nothing. */
  public static @Nullable HopConnections atStart(RouteHop hop, StreamTotals said) {
    return find(said.outlets(), hop);
  }

  /** Connections of a hop, as the relay at its end counts them; null where it says nothing. */
  public static @Nullable HopConnections atEnd(RouteHop hop, StreamTotals said) {
    return find(said.inlets(), hop);
  }

  /** Totals of the pipes that begin with a hop; null where none do. */
  public static @Nullable PipeTotals pipe(
      RouteHop hop, @Nullable List<io.cascade.api.relay.PipeTotals> said) {
    io.cascade.api.relay.HopAddress address = address(hop.address());
    return pipes(said).stream()
        .filter(totals -> address(totals.hop()).equals(address))
        .findFirst()
        .orElse(null);
  }

  /** Document of the relay at the start of a coded hop; null where it is none. */
  public static @Nullable CodedHop coded(RouteHop hop, PartStatus part) {
    io.cascade.api.relay.HopAddress address = address(hop.address());
    if (part.coded() == null) {
      return null;
    }
    return part.coded().stream()
        .filter(said -> said.hop().equals(address))
        .map(said ->
            CodedHop.builder()
                .hop(hop.address())
                .carrier(CodedCarrier.valueOf(said.carrier().name()))
                .why(said.why())
                .sessions(said.sessions())
                .streams(said.streams())
                .lossShare(said.lossShare())
                .baseLossShare(said.baseLossShare())
                .mode(said.mode())
                .roundTripMillis(said.roundTripMillis())
                .sourceSymbols(said.sourceSymbols())
                .repairSymbols(said.repairSymbols())
                .capacityBitsPerSecond(said.capacityBitsPerSecond())
                .build())
        .findFirst()
        .orElse(null);
  }

  /** Pipes in the words of the orchestrator's contract. */
  public static List<PipeTotals> pipes(@Nullable List<io.cascade.api.relay.PipeTotals> said) {
    return said == null
        ? List.of()
        : said.stream()
            .map(totals ->
                PipeTotals.builder()
                    .hop(
                        new HopAddress(
                            totals.hop().segment(), totals.hop().pipe(), totals.hop().hop()))
                    .running(totals.running())
                    .opened(totals.opened())
                    .lost(totals.lost())
                    .sentBytes(totals.sentBytes())
                    .receivedBytes(totals.receivedBytes())
                    .moved(totals.moved())
                    .state(totals.state() == null ? null : PipeState.valueOf(totals.state().name()))
                    .changedSecondsAgo(totals.changedSecondsAgo())
                    .change(totals.change())
                    .bitsPerSecond(totals.bitsPerSecond())
                    .roundTripMillis(totals.roundTripMillis())
                    .queuedBytes(totals.queuedBytes())
                    .build())
            .toList();
  }

  private static @Nullable HopConnections find(List<HopConnections> said, RouteHop hop) {
    io.cascade.api.relay.HopAddress address = address(hop.address());
    return said.stream().filter(one -> one.hop().equals(address)).findFirst().orElse(null);
  }
}
