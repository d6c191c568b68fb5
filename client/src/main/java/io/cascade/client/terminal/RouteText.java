package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.Hop;
import io.cascade.api.orchestrator.Pipe;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.Route;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.api.orchestrator.Segment;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.Quantities;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Describes the route of a chain. */
public final class RouteText {
  private RouteText() {}

  /** The relays in order; of a chain of several pipes, those of each pipe. */
  public static String relays(Chain chain) {
    Route route = chain.route();
    if (route == null || route.segments().size() == 1) {
      return String.join(", ", chain.relays());
    }
    List<String> segments = new ArrayList<>();
    for (Segment segment : route.segments()) {
      Map<String, Integer> pipes = new LinkedHashMap<>();
      segment.pipes().forEach(pipe -> pipes.merge(relays(pipe), 1, Integer::sum));
      pipes.remove("");
      if (!pipes.isEmpty()) {
        List<String> words = new ArrayList<>();
        pipes.forEach(
            (relays, count) -> words.add(count == 1 ? relays : relays + " (" + count + " pipes)"));
        segments.add(String.join(" | ", words));
      }
    }
    return String.join("; ", segments);
  }

  /** Relays between which a pipe runs; empty where it has none. */
  private static String relays(Pipe pipe) {
    List<Hop> hops = pipe.hops();
    if (hops.getFirst().from().equals("source") || hops.getLast().to().equals("destination")) {
      return "";
    }
    List<String> relays = new ArrayList<>(List.of(hops.getFirst().from()));
    hops.forEach(hop -> relays.add(hop.to()));
    return String.join(", ", relays);
  }

  /** Describes the planned share of each route of a chain, in one line each. */
  public static List<String> shares(Chain chain) {
    List<String> lines = new ArrayList<>();
    Plan plan = chain.plan();
    if (plan == null) {
      return lines;
    }
    for (Candidate candidate : plan.candidates()) {
      List<RouteShare> shares = candidate.shares();
      if (candidate.kind() != CandidateKind.MULTIPATH || shares == null) {
        continue;
      }
      for (RouteShare share : shares) {
        lines.add(
            "expected through %s: %s, %s"
                .formatted(
                    String.join(", ", share.relays()),
                    Quantities.percent(share.share()),
                    Quantities.rate(share.bitsPerSecond())));
      }
    }
    plan.notes().stream().filter(note -> note.contains(" pipe")).forEach(lines::add);
    return lines;
  }

  /**
   * Describes what a pipe has carried, and its last failure.
   *
   * @param all pipes at the same junction, of which the share is taken
   */
  public static String pipe(PipeTotals pipe, List<PipeTotals> all) {
    double sum =
        all.stream()
            .filter(other -> other.hop().segment().equals(pipe.hop().segment()))
            .mapToDouble(RouteText::bytes)
            .sum();
    return pipe(pipe, sum == 0 ? null : (Double) (bytes(pipe) / sum), null);
  }

  /**
   * Describes what a pipe has carried, and its last failure.
   *
   * @param share of what all pipes at its junction have carried; null where unknown
   * @param predicted the planned share; null where unknown
   */
  public static String pipe(
      @Nullable PipeTotals pipe, @Nullable Double share, @Nullable Double predicted) {
    if (pipe == null) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(pipe.state() == null ? "" : pipe.state().name().toLowerCase(Locale.ROOT) + ", ");
    text.append(share == null ? "" : Quantities.percent(share) + " of all");
    text.append(predicted == null ? "" : " (planned " + Quantities.percent(predicted) + ")");
    text.append(share == null ? "" : ", ");
    text.append(
        "%d open, %d lost, %d moved, sent %s, received %s"
            .formatted(
                pipe.running(),
                pipe.lost(),
                pipe.moved() == null ? 0 : pipe.moved(),
                DataSize.format(pipe.sentBytes()),
                DataSize.format(pipe.receivedBytes())));
    text.append(
        pipe.bitsPerSecond() == null ? "" : ", up to " + Quantities.rate(pipe.bitsPerSecond()));
    text.append(
        pipe.roundTripMillis() == null
            ? ""
            : ", round trip %.1f ms".formatted(pipe.roundTripMillis()));
    text.append(
        pipe.queuedBytes() == null
            ? ""
            : ", %s on the way".formatted(DataSize.format(pipe.queuedBytes())));
    Double ago = pipe.changedSecondsAgo();
    if (ago != null && pipe.change() != null) {
      text.append("; %s ago %s".formatted(Quantities.seconds(ago), Printable.line(pipe.change())));
    }
    return text.toString();
  }

  private static double bytes(PipeTotals pipe) {
    return pipe.sentBytes() + (double) pipe.receivedBytes();
  }
}
