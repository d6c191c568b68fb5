package io.cascade.relay.chain;

import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.coded.CodedCount;
import io.cascade.carriage.coded.CodedDialler;
import io.cascade.relay.hop.HopOutlet;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a chain's coded hops as records of the contract. */
final class CodedHops {
  private CodedHops() {}

  /** Returns the coded hops that begin here; null if there are none. */
  static @Nullable List<CodedHop> of(InstalledChain chain) {
    InstalledChain.Wiring wiring = chain.wiring();
    List<CodedHop> all = new ArrayList<>();
    if (wiring != null) {
      for (WiredPassage passage : wiring.passages()) {
        for (HopOutlet outlet : passage.hops()) {
          CodedDialler coded = outlet.coded();
          if (coded != null) {
            all.add(of(outlet.hop(), coded.sessions(), coded.fallenBack()));
          }
        }
      }
    }
    return all.isEmpty() ? null : all;
  }

  /** Combines all sessions of a hop: their loss is weighted by the packets that each has sent. */
  static CodedHop of(HopAddress hop, List<CodedCount> sessions, @Nullable String fallenBack) {
    long sources = sessions.stream().mapToLong(CodedCount::sourcesSent).sum();
    CodedCount busiest =
        sessions.stream().max(Comparator.comparingLong(CodedCount::sourcesSent)).orElse(null);
    return CodedHop.builder()
        .hop(hop)
        .carrier(carrier(sessions, fallenBack))
        .why(
            fallenBack != null
                ? fallenBack
                : sessions.stream()
                    .map(CodedCount::why)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null))
        .sessions(sessions.size())
        .streams(sessions.stream().mapToInt(CodedCount::streams).sum())
        .lossShare(
            sources == 0
                ? null
                : (Double)
                    (sessions.stream().mapToDouble(one -> one.lossRate() * one.sourcesSent()).sum()
                        / sources))
        .baseLossShare(busiest == null ? null : (Double) busiest.baseLossRate())
        .mode(busiest == null ? null : busiest.mode())
        .roundTripMillis(busiest == null ? null : (Double) (busiest.roundTripNanos() / 1e6))
        .sourceSymbols(sources)
        .repairSymbols(sessions.stream().mapToLong(CodedCount::repairsSent).sum())
        .capacityBitsPerSecond(
            busiest == null || busiest.bitsPerSecond() <= 0
                ? null
                : (Double) busiest.bitsPerSecond())
        .build();
  }

  /** Returns the worst carrier among the sessions: plain TCP, else sessions over TCP, else UDP. */
  private static CodedCarrier carrier(List<CodedCount> sessions, @Nullable String fallenBack) {
    if (fallenBack != null) {
      return CodedCarrier.PLAIN_TCP;
    }
    boolean isTcp = sessions.stream().anyMatch(CodedCount::isTcp);
    return isTcp ? CodedCarrier.TCP : CodedCarrier.UDP;
  }
}
