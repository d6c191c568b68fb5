package io.cascade.lab;

import io.cascade.api.Json;
import io.cascade.client.terminal.Table;
import io.cascade.command.DataSize;
import io.cascade.lab.LabControl.DirectionReport;
import io.cascade.lab.LabControl.Request;
import io.cascade.lab.LabState.PartState;
import io.cascade.lab.LabState.SiteState;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import java.io.PrintWriter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Show what runs where, and the counters of the links.")
final class LabStatusVerb implements Callable<Integer> {
  @Mixin private LabOption which = new LabOption();

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(names = "--json", description = "Print one JSON document on stdout and nothing else.")
  private boolean json;

  /** The JSON document. */
  record Status(
      String name,
      double seconds,
      List<SiteState> sites,
      List<PartState> parts,
      List<DirectionReport> directions) {}

  @Override
  public Integer call() {
    Lab lab = which.lab();
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      LabControl.Response answer = lab.ask(Request.of(LabControl.Verb.STATISTICS));
      out.println(
          Json.lenient()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(
                  new Status(
                      lab.name(),
                      answer.seconds(),
                      lab.state().sites(),
                      lab.state().parts(),
                      Objects.requireNonNullElse(answer.directions(), List.of()))));
      out.flush();
      return 0;
    }
    Table parts = new Table("RUNS", "SITE", ">PROCESS", "ALIVE", "WHERE");
    for (PartState part : lab.state().parts()) {
      boolean alive = ProcessHandle.of(part.pid()).map(ProcessHandle::isAlive).orElse(false);
      parts.row(part.name(), part.site(), part.pid(), alive ? "yes" : "no", part.where());
    }
    if (!parts.isEmpty()) {
      parts.print(out);
      out.println();
    }
    printLinks(lab, out);
    return 0;
  }

  static void printLinks(Lab lab, PrintWriter out) {
    Table table =
        new Table(
            "LINK",
            ">DELAY",
            ">RATE",
            ">QUEUE",
            ">LOSS",
            ">TAKEN",
            ">FORWARDED",
            ">LOST",
            ">DROPPED");
    for (LabStatistics.Direction direction : lab.statistics().directions()) {
      LinkShape shape = direction.shape();
      DirectionStatistics done = direction.statistics();
      table.row(
          direction.from() + " > " + direction.to(),
          shape.down() ? "down" : shape.delay().toNanos() / 1e6 + " ms",
          shape.bitsPerSecond() == LinkShape.UNLIMITED
              ? "unlimited"
              : shape.bitsPerSecond() / 1e6 + " Mbit/s",
          shape.queuePackets() > 0
              ? shape.queuePackets() + " packets"
              : DataSize.format(shape.queueBytes()),
          shape.loss(),
          done.takenPackets(),
          done.forwardedPackets(),
          done.lostPackets(),
          done.allDroppedPackets());
    }
    table.print(out);
  }
}
