package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.client.terminal.Quantities;
import io.cascade.client.terminal.Table;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "links",
    mixinStandardHelpOptions = true,
    description = "What relays measured of the links between them.")
public final class LinksVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    LinkList links = orchestrator.client().links();
    if (output.json()) {
      output.document(links);
      return 0;
    }
    Table table =
        new Table(
            "from",
            "to",
            ">min RTT",
            ">smoothed",
            ">jitter",
            ">lost/sent",
            ">loss, 95 %",
            ">capacity",
            "measured",
            "");
    for (Link link : links.links()) {
      Long capacity = link.capacityBitsPerSecond();
      table.row(
          link.from(),
          link.to(),
          Quantities.millis(link.minRttMillis()),
          Quantities.millis(link.smoothedRttMillis()),
          Quantities.millis(link.jitterMillis()),
          link.probesLost() + "/" + link.probesSent(),
          link.lossRateHigh() == null
              ? "-"
              : Quantities.percent(link.lossRateLow())
                  + " … "
                  + Quantities.percent(link.lossRateHigh()),
          Quantities.rate(capacity == null ? null : (Double) capacity.doubleValue()),
          link.updatedAt(),
          link.stale() ? "stale" : "");
    }
    if (table.isEmpty()) {
      output.note("no link has been measured: that takes two relays and a heartbeat");
    } else {
      table.print(output.out());
    }
    return 0;
  }
}
