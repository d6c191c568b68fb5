package io.cascade.client.terminal;

import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands to suggest where a plan cannot decide. */
public final class UndecidedSteps {
  private UndecidedSteps() {}

  /**
   * @param from the relay where the traffic starts; null for this host
   * @param tested whether test data were sent for this plan already
   * @return lines to print; none where the plan has decided, or no command would help
   */
  public static List<String> of(Plan plan, @Nullable String from, boolean tested) {
    List<String> relays = plan.relays();
    if (plan.decision() != Decision.UNDECIDED || relays == null || relays.isEmpty()) {
      return List.of();
    }
    String to = " --to " + plan.destination();
    String start = from == null ? "" : " --from " + from;
    List<String> lines = new ArrayList<>();
    lines.add("To find out:");
    if (from == null) {
      if (!tested) {
        lines.add(
            "  ./cascade plan" + to + " --test      test data both ways, to a cascade receive");
      }
      lines.add(
          "  ./cascade send FILE" + to + "      a file both ways at once, to a cascade receive");
    }
    if (from != null && !tested) {
      lines.add(
          "  ./cascade plan" + to + start + " --test  relays at both ends compare the two ways");
    }
    lines.add("  ./cascade open" + to + start + " --try   relays test, and open a chain to try");
    lines.add(
        "  SOCKS5 at a relay (relay --socks)     its streams to there try a chain by themselves");
    return lines;
  }
}
