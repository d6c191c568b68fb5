package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.client.terminal.Quantities;
import io.cascade.client.terminal.Table;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "links",
    mixinStandardHelpOptions = true,
    description = "What relays measured of the links between them.")
public final class LinksVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(
      names = "--history",
      paramLabel = "FROM,TO",
      split = ",",
      description = "The past day of one link, in steps of five minutes.")
  private @Nullable List<String> history;

  @Override
  public Integer call() {
    if (history != null) {
      return past(history);
    }
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

  private int past(List<String> link) {
    if (link.size() != 2) {
      throw new ParameterException(
          spec.commandLine(), "--history " + String.join(",", link) + " (expected: FROM,TO)");
    }
    LinkHistory past = orchestrator.client().linkHistory(link.getFirst(), link.getLast());
    if (output.json()) {
      output.document(past);
      return 0;
    }
    Table table = new Table("from", ">min RTT", ">smoothed", ">lost/sent");
    for (LinkSpan span : past.spans()) {
      table.row(
          span.start(),
          Quantities.millis(span.minRttMillis()),
          Quantities.millis(span.smoothedRttMillis()),
          span.probesLost() + "/" + span.probesSent());
    }
    if (table.isEmpty()) {
      output.note("not measured in the past day");
    } else {
      table.print(output.out());
    }
    return 0;
  }
}
