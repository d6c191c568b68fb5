package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Exclusion;
import io.cascade.api.orchestrator.FrontPoint;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RateEvidence;
import io.cascade.api.orchestrator.RelayValue;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.command.DataSize;
import io.cascade.command.Printable;
import io.cascade.contract.ControlText;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a plan for people: every candidate, its components, the decision and its reason. */
public final class PlanText {
  private PlanText() {}

  public static void print(Plan plan, PrintWriter out) {
    String amount = plan.bytes() == null ? "a stream" : DataSize.format(plan.bytes());
    out.println("Plan for " + amount + " to " + Printable.line(plan.destination()));
    wrapped(PlanSummary.of(plan, Instant.now()), out);
    if (plan.why() != null) {
      wrapped("Why: " + plan.why(), out);
    }
    if (plan.confidence() != null) {
      wrapped("How sure: " + plan.confidence(), out);
    }
    plan.notes().forEach(note -> wrapped("Note: " + note, out));
    out.println();
    boolean priced = plan.candidates().stream().anyMatch(one -> one.pricePerGib() != null);
    Table candidates =
        new Table(
            "",
            "candidate",
            ">predicted",
            ">95 % interval",
            ">rate",
            "?>95 % interval",
            priced ? ">per GiB" : "?",
            "?slowest hop");
    for (Candidate candidate : plan.candidates()) {
      candidates.row(
          candidate.chosen() ? "*" : "",
          name(candidate),
          Quantities.seconds(candidate.seconds()),
          interval(
              untried(candidate) ? null : candidate.secondsLow(),
              candidate.secondsHigh(),
              Quantities.seconds(candidate.secondsLow()),
              Quantities.seconds(candidate.secondsHigh())),
          rate(candidate),
          untried(candidate)
              ? ""
              : interval(
                  candidate.bitsPerSecondLow(),
                  candidate.bitsPerSecondHigh(),
                  Quantities.rate(candidate.bitsPerSecondLow()),
                  Quantities.rate(candidate.bitsPerSecondHigh())),
          priced ? price(candidate.pricePerGib()) : "",
          slowest(candidate));
    }
    candidates.print(out, "  ");
    hops(plan, out);
    for (Candidate candidate : plan.candidates()) {
      if (candidate.shares() != null) {
        shares(candidate.shares(), out);
      }
    }
    relayValues(plan, out);
    front(plan, out);
    List<Exclusion> excluded = plan.excluded();
    if (excluded != null) {
      out.println();
      excluded.forEach(one ->
          out.println(Printable.line("Not considered: " + one.relay() + ": " + one.reason())));
    }
    out.println();
    out.println("Decision: " + plan.decision());
    out.flush();
  }

  /**
   * A lower bound alone is no estimate: the rate is at least what was seen, and otherwise unknown.
   */
  private static String rate(Candidate candidate) {
    Double low = candidate.bitsPerSecondLow();
    if (!untried(candidate)) {
      return Quantities.rate(candidate.bitsPerSecond());
    }
    return low == null ? "untried" : "at least " + Quantities.rate(low) + ", untried";
  }

  private static boolean untried(Candidate candidate) {
    return candidate.evidence() == RateEvidence.BOUND;
  }

  private static void wrapped(String text, PrintWriter out) {
    Lines.wrapped(Printable.line(text), Table.columns()).forEach(out::println);
  }

  private static void hops(Plan plan, PrintWriter out) {
    Table hops =
        new Table("candidate", "hop", ">RTT", ">lost/sent", ">rate", "control", "", "?basis");
    for (Candidate candidate : plan.candidates()) {
      if (shown(candidate, plan)) {
        String label = name(candidate);
        for (HopPrediction hop : candidate.hops()) {
          hops.row(
              label,
              hop.from() + " → " + hop.to(),
              Quantities.millis(hop.rttMillis()),
              hop.probesSent() == null ? "-" : hop.probesLost() + "/" + hop.probesSent(),
              Quantities.rate(hop.bitsPerSecond()),
              hop.congestionControl() == null ? "-" : hop.congestionControl(),
              Boolean.TRUE.equals(hop.bottleneck()) ? "slowest" : "",
              hop.basis());
          label = "";
        }
      }
    }
    print("", hops, out);
  }

  private static void shares(List<RouteShare> routes, PrintWriter out) {
    Table shares = new Table("route", ">share", ">bytes", ">rate", "slowest hop", "");
    for (RouteShare route : routes) {
      HopPrediction slowest =
          route.hops().stream()
              .filter(hop -> Boolean.TRUE.equals(hop.bottleneck()))
              .findFirst()
              .orElse(null);
      shares.row(
          route.relays().isEmpty() ? "direct" : "via " + String.join(", ", route.relays()),
          Quantities.percent(route.share()),
          route.bytes() == null ? "-" : DataSize.format(route.bytes()),
          Quantities.rate(route.bitsPerSecond()),
          slowest == null ? "-" : slowest.from() + " → " + slowest.to(),
          slowest == null ? "" : slowest.basis());
    }
    print(
        "Routes together (between two relays: open --pipes; between hosts: forward):", shares, out);
  }

  private static void relayValues(Plan plan, PrintWriter out) {
    Table values = new Table(">relays", "best", ">predicted", ">rate", ">next to one fewer");
    List<RelayValue> known = plan.relayValues();
    if (known != null) {
      for (RelayValue value : known) {
        Double gain = value.gainOverOneFewer();
        values.row(
            value.relays(),
            "via " + String.join(", ", value.via()),
            Quantities.seconds(value.seconds()),
            Quantities.rate(value.bitsPerSecond()),
            gain == null ? "-" : String.format(Locale.ROOT, "x%.2f", gain));
      }
    }
    print("What each further relay is worth:", values, out);
  }

  private static void front(Plan plan, PrintWriter out) {
    Table front = new Table("way", ">predicted", ">rate", ">per GiB");
    List<FrontPoint> points = plan.front();
    if (points != null) {
      for (FrontPoint point : points) {
        front.row(
            point.kind() == CandidateKind.DIRECT
                ? "direct"
                : "via " + String.join(", ", point.relays()),
            Quantities.seconds(point.seconds()),
            Quantities.rate(point.bitsPerSecond()),
            price(point.pricePerGib()));
      }
    }
    print("No other way betters these in both time and price:", front, out);
  }

  private static String price(@Nullable Double perGib) {
    return perGib == null ? "-" : String.format(Locale.ROOT, "%.4g", perGib);
  }

  private static void print(String heading, Table table, PrintWriter out) {
    if (!table.isEmpty()) {
      out.println();
      if (!heading.isEmpty()) {
        out.println(heading);
      }
      table.print(out, "  ");
    }
  }

  /** Hops are listed for the direct way, for the chosen one, and for the best cascade. */
  private static boolean shown(Candidate candidate, Plan plan) {
    return candidate.chosen()
        || candidate.kind() == CandidateKind.DIRECT
        || (candidate.kind() == CandidateKind.CASCADE && candidate.relays().equals(plan.relays()));
  }

  /** A candidate's way, such as {@code direct} or {@code via r1, r2, BBR from r2 on}. */
  public static String name(Candidate candidate) {
    return switch (candidate.kind()) {
      case DIRECT -> "direct";
      case PARALLEL_DIRECT -> "direct, " + candidate.connections() + " connections";
      case DIRECT_BBR -> "direct with bbr";
      case CASCADE -> "via " + String.join(", ", candidate.relays()) + ControlText.of(candidate);
      case MULTIPATH -> candidate.connections() + " routes together";
    };
  }

  /** The plan's candidate of a kind; of the cascades the one through exactly these relays. */
  public static @Nullable Candidate candidate(Plan plan, CandidateKind kind, List<String> relays) {
    return plan.candidates().stream()
        .filter(one -> one.kind() == kind && one.relays().equals(relays))
        .findFirst()
        .orElse(null);
  }

  private static String slowest(Candidate candidate) {
    return candidate.hops().stream()
        .filter(hop -> Boolean.TRUE.equals(hop.bottleneck()))
        .map(hop -> hop.from() + " → " + hop.to())
        .findFirst()
        .orElse("-");
  }

  private static String interval(
      @Nullable Double low, @Nullable Double high, String lowText, String highText) {
    if (low == null || high == null) {
      return low == null && high == null
          ? "-"
          : low == null ? "at most " + highText : "at least " + lowText;
    }
    return lowText + " … " + highText;
  }
}
