package io.cascade.client.verbs;

import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.LinkHistory;
import io.cascade.api.orchestrator.LinkList;
import io.cascade.api.orchestrator.LinkSpan;
import io.cascade.api.orchestrator.LinkTest;
import io.cascade.api.orchestrator.LinkTestRequest;
import io.cascade.api.orchestrator.LinkTrain;
import io.cascade.api.orchestrator.LinkTrainRequest;
import io.cascade.client.terminal.LinkText;
import io.cascade.client.terminal.Table;
import io.cascade.command.BitRate;
import io.cascade.contract.Quantities;
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
    description = "Show what relays measured of the links between them.")
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
      description = "Show one link's past day in steps of five minutes.")
  private @Nullable List<String> history;

  @Option(
      names = "--test",
      paramLabel = "FROM,TO",
      split = ",",
      description =
          "Send test data from one relay to another for up to four seconds, within their budgets,"
              + " and show the result.")
  private @Nullable List<String> test;

  @Option(
      names = "--train",
      paramLabel = "FROM,TO",
      split = ",",
      description =
          "Send 1000 full-size packets over UDP from one relay to another and back, within their"
              + " budgets, and show the losses and delays of each direction, for links on which"
              + " TCP cannot be used.")
  private @Nullable List<String> train;

  @Option(
      names = "--rate",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description = "Send the packets of --train at this rate, such as 50Mbit (default: 10Mbit).")
  private @Nullable BitRate rate;

  @Option(
      names = "--matrix",
      description = "Print a matrix: one row a source, one column a target.")
  private boolean matrix;

  @Override
  public Integer call() {
    if (history != null) {
      return past(history);
    }
    if (test != null) {
      return test(test);
    }
    if (train != null) {
      return train(train);
    }
    if (rate != null) {
      throw new ParameterException(spec.commandLine(), "--rate goes with --train FROM,TO");
    }
    LinkList links = orchestrator.client().links();
    if (output.json()) {
      output.document(links);
      return 0;
    }
    if (matrix && !links.links().isEmpty()) {
      LinkText.matrix(links.links()).print(output.out());
      return 0;
    }
    Table table =
        new Table(
            "from",
            "to",
            ">min RTT",
            "?>smoothed",
            "?>jitter",
            ">loss",
            "?>95 %",
            ">capacity",
            "evidence",
            "");
    for (Link link : links.links()) {
      table.row(
          link.from(),
          link.to(),
          Quantities.millis(link.minRttMillis()),
          Quantities.millis(link.smoothedRttMillis()),
          Quantities.millis(link.jitterMillis()),
          LinkText.loss(link),
          link.lossRateHigh() == null || link.lossRateLow() == null || link.lossRateLow() == 0
              ? "-"
              : Quantities.percent(link.lossRateLow())
                  + " … "
                  + Quantities.percent(link.lossRateHigh()),
          LinkText.capacity(link),
          LinkText.evidence(link),
          link.stale() ? "stale" : "");
    }
    output.table(table, "no link has been measured: that takes two relays and a heartbeat");
    return 0;
  }

  private int test(List<String> link) {
    if (link.size() != 2) {
      throw new ParameterException(
          spec.commandLine(), "--test " + String.join(",", link) + " (expected: FROM,TO)");
    }
    LinkTest result =
        orchestrator
            .client()
            .testLink(link.getFirst(), link.getLast(), LinkTestRequest.builder().build());
    if (output.json()) {
      output.document(result);
    } else {
      LinkText.test(result).forEach(output.out()::println);
      output.out().flush();
    }
    return 0;
  }

  private int train(List<String> link) {
    if (link.size() != 2) {
      throw new ParameterException(
          spec.commandLine(), "--train " + String.join(",", link) + " (expected: FROM,TO)");
    }
    Long bitsPerSecond = rate == null ? null : rate.bitsPerSecond();
    LinkTrain result =
        orchestrator
            .client()
            .sendTrain(
                link.getFirst(),
                link.getLast(),
                LinkTrainRequest.builder().bitsPerSecond(bitsPerSecond).build());
    if (output.json()) {
      output.document(result);
    } else {
      LinkText.train(result).forEach(output.out()::println);
      output.out().flush();
    }
    return 0;
  }

  private int past(List<String> link) {
    if (link.size() != 2) {
      throw new ParameterException(
          spec.commandLine(), "--history " + String.join(",", link) + " (expected: FROM,TO)");
    }
    LinkHistory past = orchestrator.client().linkHistory(link.getFirst(), link.getLast());
    Table table = new Table("from", ">min RTT", ">smoothed", ">lost/sent");
    for (LinkSpan span : past.spans()) {
      table.row(
          span.start(),
          Quantities.millis(span.minRttMillis()),
          Quantities.millis(span.smoothedRttMillis()),
          span.probesLost() + "/" + span.probesSent());
    }
    output.list(past, table, "not measured in the past day");
    return 0;
  }
}
