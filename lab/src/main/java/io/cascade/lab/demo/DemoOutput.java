package io.cascade.lab.demo;

import io.cascade.api.orchestrator.Link;
import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import io.cascade.contract.Quantities;
import io.cascade.lab.demo.LoopbackReport.RelayTraffic;
import java.io.PrintWriter;
import java.util.List;

/** Output of the demonstration while it runs. */
final class DemoOutput {
  private static final String INDENT = "  ";

  private final PrintWriter out;

  DemoOutput(PrintWriter out) {
    this.out = out;
  }

  PrintWriter out() {
    return out;
  }

  void say(String line) {
    out.println(line);
    out.flush();
  }

  void links(List<Link> links) {
    Table table = new Table("from", "to", ">min RTT", ">lost/sent");
    links.forEach(link ->
        table.row(
            link.from(),
            link.to(),
            Quantities.millis(link.minRttMillis()),
            link.probesLost() + "/" + link.probesSent()));
    table.print(out, INDENT);
  }

  void traffic(List<RelayTraffic> traffic) {
    Table table =
        new Table(
            "relay",
            "state",
            ">forward in",
            ">forward out",
            ">backward in",
            ">backward out",
            ">held at most");
    traffic.forEach(relay ->
        table.row(
            relay.relay(),
            relay.state(),
            relay.forwardBytesIn(),
            relay.forwardBytesOut(),
            relay.backwardBytesIn(),
            relay.backwardBytesOut(),
            DataSize.format(relay.peakHeldBytes())));
    table.print(out, INDENT);
  }

  void checks(List<Check> checks) {
    say("");
    checks.forEach(check -> say((check.held() ? "held    " : "FAILED  ") + check.what()));
  }

  /** Prints what the user can try while everything is still running. */
  void invite(String orchestrator) {
    say("");
    say("The dashboard stays at " + orchestrator + "/ui/ until Ctrl-C, the REST API at /api/v1.");
    say("Try, in another window:");
    say("  export CASCADE_ORCHESTRATOR=" + orchestrator);
    say("  ./cascade relays; ./cascade links; ./cascade chain demo");
    say("  ./cascade receive --listen 127.0.0.1:9000");
    say("  ./cascade send README.md CODE --via r1 --name copy.md");
    say("  curl " + orchestrator + "/api/v1/chains");
  }
}
