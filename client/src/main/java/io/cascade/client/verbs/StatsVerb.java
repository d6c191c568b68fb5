package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Statistics;
import io.cascade.client.terminal.StatisticsText;
import io.cascade.command.TimeSpan;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "stats",
    mixinStandardHelpOptions = true,
    description = {
      "Show what relays and chains do now: rates, streams, queues, what they wait for, and the hop"
          + " that limits each chain.",
      "On a terminal the screen refreshes until Ctrl-C; elsewhere, or with --once, it is printed"
          + " once. With --json one document is printed each time."
    })
public final class StatsVerb implements Callable<Integer> {
  private static final String HOME_AND_CLEAR = "\u001b[H\u001b[J";
  private static final int MOST_TRIES = 5;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(names = "--once", description = "Print the current state once and exit.")
  private boolean once;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "2s",
      converter = TimeSpan.Converter.class,
      description = "Refresh at this interval, 1 s or more (default: ${DEFAULT-VALUE}).")
  private TimeSpan interval = new TimeSpan(2);

  @Override
  public Integer call() throws InterruptedException {
    Duration between = Duration.ofMillis(Math.round(1e3 * Math.max(1, interval.seconds())));
    boolean terminal = Boolean.getBoolean("cascade.terminal"); // Set by the launcher.
    OrchestratorClient client = orchestrator.client();
    if (once || !terminal) {
      show(withRates(client, between));
      return 0;
    }
    while (true) {
      Statistics now = client.statistics();
      if (output.json()) {
        output.documentLine(now);
      } else {
        // As one write, so that the screen does not flicker.
        StringWriter screen = new StringWriter();
        PrintWriter text = new PrintWriter(screen);
        StatisticsText.print(now, text);
        text.println();
        text.println("every " + between.toSeconds() + " s; Ctrl-C ends");
        output.out().print(HOME_AND_CLEAR + screen);
        output.out().flush();
      }
      Thread.sleep(between);
    }
  }

  private void show(Statistics now) {
    if (output.json()) {
      output.document(now);
    } else {
      StatisticsText.print(now, output.out());
    }
  }

  /** Requests twice, since the first statistics have no earlier ones to compute rates from. */
  private static Statistics withRates(OrchestratorClient client, Duration between)
      throws InterruptedException {
    Statistics now = client.statistics();
    for (int i = 1; now.overSeconds() == null && i < MOST_TRIES; i++) {
      Thread.sleep(between);
      now = client.statistics();
    }
    return now;
  }
}
