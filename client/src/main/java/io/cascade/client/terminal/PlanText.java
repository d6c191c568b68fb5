package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.command.DataSize;
import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan for people: every candidate, what it is made of, what was decided and why. */
public final class PlanText {
  private PlanText() {}

  public static void print(Plan plan, PrintWriter out) {
    String amount = plan.bytes() == null ? "a stream" : DataSize.format(plan.bytes());
    out.println("Plan for " + amount + " to " + plan.destination());
    Table candidates =
        new Table("", "candidate", ">predicted", ">95 % interval", ">rate", ">95 % interval");
    for (Candidate candidate : plan.candidates()) {
      candidates.row(
          candidate.chosen() ? "*" : "",
          name(candidate),
          Quantities.seconds(candidate.seconds()),
          interval(
              candidate.secondsLow(),
              candidate.secondsHigh(),
              Quantities.seconds(candidate.secondsLow()),
              Quantities.seconds(candidate.secondsHigh())),
          Quantities.rate(candidate.bitsPerSecond()),
          interval(
              candidate.bitsPerSecondLow(),
              candidate.bitsPerSecondHigh(),
              Quantities.rate(candidate.bitsPerSecondLow()),
              Quantities.rate(candidate.bitsPerSecondHigh())));
    }
    candidates.print(out, "  ");
    Table hops =
        new Table("candidate", "hop", ">RTT", ">lost/sent", ">rate", "control", "", "basis");
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
    if (!hops.isEmpty()) {
      out.println();
      hops.print(out, "  ");
    }
    out.println();
    out.println("Decision: " + plan.decision() + ". " + plan.why().replaceAll("\\p{Cntrl}", " "));
    out.flush();
  }

  /** Hops are listed for the direct way, for what was chosen, and for the best cascade. */
  private static boolean shown(Candidate candidate, Plan plan) {
    return candidate.chosen()
        || candidate.kind() == CandidateKind.DIRECT
        || (candidate.kind() == CandidateKind.CASCADE && candidate.relays().equals(plan.relays()));
  }

  /** Such as {@code direct} or {@code via r1, r2}. */
  public static String name(Candidate candidate) {
    return switch (candidate.kind()) {
      case DIRECT -> "direct";
      case PARALLEL_DIRECT -> "direct, " + candidate.connections() + " connections";
      case DIRECT_BBR -> "direct with bbr";
      case CASCADE -> "via " + String.join(", ", candidate.relays());
    };
  }

  /** The plan's candidate of a kind; of the cascades the one through exactly these relays. */
  public static @Nullable Candidate candidate(Plan plan, CandidateKind kind, List<String> relays) {
    return plan.candidates().stream()
        .filter(one -> one.kind() == kind && one.relays().equals(relays))
        .findFirst()
        .orElse(null);
  }

  private static String interval(
      @Nullable Double low, @Nullable Double high, String lowText, String highText) {
    return low == null && high == null ? "-" : lowText + " … " + highText;
  }
}
