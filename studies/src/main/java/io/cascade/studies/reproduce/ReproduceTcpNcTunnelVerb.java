package io.cascade.studies.reproduce;

import io.cascade.studies.tunnel.TunnelCampaign;
import io.cascade.studies.tunnel.Way;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "tcp-nc-tunnel",
    mixinStandardHelpOptions = true,
    description = {
      "What TCP connections get through gateways over lossy links: end to end, with one coded"
          + " session and with one for each link.",
      "Measures for an hour, with --full --repetitions 10 for 16 hours, over an emulated network"
          + " with real gateway processes, and writes a page. What was measured already is not"
          + " repeated. Needs Linux and root.",
      "",
      "Example: cascade reproduce tcp-nc-tunnel --out /tmp/tunnel"
    })
final class ReproduceTcpNcTunnelVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--full",
      description =
          "One to four sessions, r0 from 0 to 0.3 by 0.05; otherwise the cells that tell most.")
  private boolean full;

  @Option(
      names = "--ways",
      paramLabel = "WAY",
      split = ",",
      converter = WayName.class,
      description = "Only these: end-to-end, single, cascaded, single-blocks, cascaded-blocks.")
  private List<Way> ways = List.of();

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs of each cell (${DEFAULT-VALUE}).")
  private int repetitions = 1;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "30",
      description = "That are counted of each run, after 6 that are not (${DEFAULT-VALUE}).")
  private double seconds = 30;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "1",
      description = "Networks at a time, each of them a tenth of a processor (${DEFAULT-VALUE}).")
  private int parallel = 1;

  @Option(
      names = "--restarts",
      paramLabel = "N",
      defaultValue = "0",
      description = "Kill each gateway so often, instead of measuring cells.")
  private int restarts;

  @Option(
      names = "--capacity",
      description =
          "Print what a pair of gateways and a scap carry over links that lose nothing, and what"
              + " that costs; no page.")
  private boolean capacity;

  @Option(names = "--report-only", description = "Measure nothing, report on what there is.")
  private boolean reportOnly;

  @Mixin private PageFolder folder = new PageFolder();

  @Override
  public Integer call() throws Exception {
    check("--repetitions", repetitions);
    check("--seconds", seconds);
    check("--parallel", parallel);
    if (capacity) {
      TunnelCampaign.capacity(seconds).forEach(spec.commandLine().getOut()::println);
      spec.commandLine().getOut().flush();
      return 0;
    }
    TunnelCampaign campaign =
        new TunnelCampaign(folder.path(), seconds, spec.commandLine().getErr());
    try {
      boolean complete = true;
      if (!reportOnly && restarts > 0) {
        campaign.restart(restarts);
      } else if (!reportOnly) {
        complete = campaign.measure(full, ways, repetitions, parallel);
      }
      campaign.report();
      spec.commandLine()
          .getOut()
          .println("written: " + folder.path().resolve(TunnelCampaign.NAME + ".md"));
      spec.commandLine().getOut().flush();
      return complete ? 0 : 1;
    } catch (IOException e) {
      throw folder.unwritable(e);
    }
  }

  private void check(String option, double value) {
    if (!(value >= 1)) {
      throw new ParameterException(
          spec.commandLine(), option + " " + value + " (expected: 1 or more)");
    }
  }

  /** Ways by their names on the command line. */
  static final class WayName implements ITypeConverter<Way> {
    @Override
    public Way convert(String value) {
      try {
        return Way.named(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(
            "'%s' (expected: end-to-end, single, cascaded, single-blocks or cascaded-blocks)"
                .formatted(value));
      }
    }
  }
}
