package io.cascade.client.terminal;

import io.cascade.api.orchestrator.RelaySetup;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.contract.Quantities;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Describes the set-up time of a chain, compared with the model's prediction and with the other
 * method.
 */
public final class SetupText {
  private SetupText() {}

  public static void print(SetupReport setup, PrintWriter out) {
    Table relays =
        new Table("relay", ">asked after", ">ready in", ">1.5 RTT (model)", ">at the relay", "");
    for (RelaySetup relay : setup.relays()) {
      relays.row(
          relay.relay(),
          Quantities.millis(relay.startedAfterMillis()),
          Quantities.millis(relay.elapsedMillis()),
          Quantities.millis(relay.predictedMillis()),
          Quantities.millis(relay.relayMillis()),
          relay.failure() == null ? "" : relay.failure());
    }
    relays.print(out, "  ");
    out.println("  " + summary(setup));
    out.flush();
  }

  public static String summary(SetupReport setup) {
    String attempt = setup.attempt() > 1 ? ", at attempt " + setup.attempt() : "";
    return "whole chain %s in %s%s; the model's 1.5 RTT: %s; one relay after the other: %s"
        .formatted(
            setup.mode().name().toLowerCase(Locale.ROOT),
            Quantities.millis(setup.elapsedMillis()),
            attempt,
            Quantities.millis(setup.predictedMillis()),
            Quantities.millis(setup.sequentialMillis()));
  }
}
