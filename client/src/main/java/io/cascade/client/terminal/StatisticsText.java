package io.cascade.client.terminal;

import io.cascade.api.orchestrator.ChainStatistics;
import io.cascade.api.orchestrator.CodedCarrier;
import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.HopStatistics;
import io.cascade.api.orchestrator.RelayStatistics;
import io.cascade.api.orchestrator.StallShares;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes the activity of relays and chains, on one screen. */
public final class StatisticsText {
  private static final String UNKNOWN = "-";

  private StatisticsText() {}

  public static void print(Statistics statistics, PrintWriter out) {
    Double over = statistics.overSeconds();
    out.println(statistics.at() + (over == null ? "" : ", rates over " + Quantities.seconds(over)));
    out.println();
    relays(statistics.relays(), out);
    for (ChainStatistics chain : statistics.chains()) {
      out.println();
      chain(chain, out);
    }
    if (statistics.chains().isEmpty()) {
      out.println();
      out.println("no chain is open");
    }
    out.flush();
  }

  private static void relays(List<RelayStatistics> relays, PrintWriter out) {
    Table table =
        new Table(
            "relay", "site", "status", "?>chains", ">streams", ">held", ">forward", ">backward");
    for (RelayStatistics relay : relays) {
      table.row(
          relay.relay(),
          relay.site(),
          relay.status() + (relay.answered() ? "" : ", no answer"),
          relay.chains(),
          of(relay.runningStreams().toString(), relay.maxStreams()),
          of(
              DataSize.format(relay.heldBytes()),
              relay.memoryBytes() == null ? null : DataSize.format(relay.memoryBytes())),
          Quantities.rate(relay.forwardBitsPerSecond()),
          Quantities.rate(relay.backwardBitsPerSecond()));
    }
    if (table.isEmpty()) {
      out.println("no relay has registered");
    } else {
      table.print(out);
    }
  }

  private static void chain(ChainStatistics chain, PrintWriter out) {
    String id = chain.chainId().toString();
    out.println(
        Printable.line(chain.name() == null ? id : chain.name() + " (" + id + ")")
            + " to "
            + Printable.line(chain.destination())
            + ": "
            + chain.state());
    out.println(
        "  streams "
            + chain.runningStreams()
            + " now, "
            + chain.completedStreams()
            + " completed, "
            + chain.failedStreams()
            + " failed; held "
            + DataSize.format(chain.heldBytes()));
    out.println(
        "  forward "
            + Quantities.rate(chain.forwardBitsPerSecond())
            + ", backward "
            + Quantities.rate(chain.backwardBitsPerSecond())
            + ", predicted for one stream "
            + Quantities.rate(chain.predictedBitsPerSecond()));
    out.println(
        "  bottleneck: "
            + (chain.bottleneck() == null ? "none now" : Printable.line(chain.bottleneck())));
    Table hops =
        new Table(
            "",
            "hop",
            ">predicted",
            ">rtt",
            "?>least",
            ">resent",
            "?>window",
            "?>in flight",
            "?>unsent",
            "?>held before",
            "waits, forward",
            "?waits, backward",
            "?pipes");
    for (HopStatistics hop : chain.hops()) {
      hops.row(
          hop.bottleneck() ? "*" : "",
          hop.from() + " -> " + hop.to(),
          Quantities.rate(hop.predictedBitsPerSecond()),
          Quantities.millis(hop.meanRttMillis()),
          Quantities.millis(hop.minRttMillis()),
          Quantities.percent(hop.retransmittedShare()),
          orDash(hop.congestionWindowSegments()),
          orDash(hop.unackedSegments()),
          size(hop.notSentBytes()),
          size(hop.heldBytes()),
          shares(hop.forwardStalls()),
          shares(hop.backwardStalls()),
          RouteText.pipe(hop.pipe(), hop.pipeShare(), hop.predictedPipeShare()));
    }
    hops.print(out, "  ");
    for (HopStatistics hop : chain.hops()) {
      if (hop.coded() != null) {
        out.println("  " + hop.from() + " -> " + hop.to() + ": " + words(hop.coded()));
        if (hop.coded().mode() != null) {
          out.println("    " + path(hop.coded()));
        }
      }
    }
    out.println("  waits: share of the time for data/sink/memory");
  }

  private static String words(CodedHop coded) {
    if (coded.carrier() != CodedCarrier.UDP) {
      return (coded.carrier() == CodedCarrier.TCP ? "coded over TCP: " : "not coded, plain TCP: ")
          + (coded.why() == null ? UNKNOWN : Printable.line(coded.why()));
    }
    return "coded over UDP, loss "
        + Quantities.percent(coded.lossShare())
        + " (the path's own "
        + Quantities.percent(coded.baseLossShare())
        + ")";
  }

  private static String path(CodedHop coded) {
    Double loss = coded.lossShare();
    double repairs =
        coded.sourceSymbols() == 0 ? 0 : (double) coded.repairSymbols() / coded.sourceSymbols();
    return "repairs "
        + Quantities.percent(repairs)
        + (loss == null || !(loss < 1) ? "" : ", needed " + Quantities.percent(loss / (1 - loss)))
        + "; rate control: "
        + Printable.line(String.valueOf(coded.mode()))
        + ", round trip "
        + Quantities.millis(coded.roundTripMillis())
        + ", at most "
        + Quantities.rate(coded.capacityBitsPerSecond());
  }

  private static String shares(@Nullable StallShares shares) {
    return shares == null
        ? UNKNOWN
        : Math.round(100 * shares.data())
            + "/"
            + Math.round(100 * shares.sink())
            + "/"
            + Math.round(100 * shares.budget())
            + " %";
  }

  private static String of(String value, @Nullable Object most) {
    return most == null ? value : value + " of " + most;
  }

  private static String size(@Nullable Long bytes) {
    return bytes == null ? UNKNOWN : DataSize.format(bytes);
  }

  private static String orDash(@Nullable Object value) {
    return value == null ? UNKNOWN : value.toString();
  }
}
