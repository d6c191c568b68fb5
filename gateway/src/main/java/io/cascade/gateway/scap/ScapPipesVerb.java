package io.cascade.gateway.scap;

import io.cascade.api.Json;
import io.cascade.api.scap.PipeEmployment;
import io.cascade.api.scap.ScapPipe;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "pipes",
    mixinStandardHelpOptions = true,
    description = {
      "Show the pipes of a running scap: whether they deliver, what is known of them, and what they"
          + " carried.",
      "Withdraws a pipe, or puts it back into use, for all connections at once."
    },
    footer = {"", "Example: cascade scap pipes --control 7790 --withdraw 1"})
final class ScapPipesVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private ControlOptions control = new ControlOptions();

  @ArgGroup private @Nullable Change change;

  static final class Change {
    @Option(names = "--withdraw", paramLabel = "N", description = "Stop using this pipe.")
    private @Nullable Integer withdraw;

    @Option(names = "--employ", paramLabel = "N", description = "Use this pipe again.")
    private @Nullable Integer employ;
  }

  @Override
  public Integer call() {
    if (change != null) {
      Integer number = change.withdraw != null ? change.withdraw : change.employ;
      control.client().put("/pipes/" + number, new PipeEmployment(change.withdraw == null));
    }
    return control.print("/pipes", ScapPipesVerb::text, spec.commandLine().getOut());
  }

  private static String text(String answer) {
    return String.join(
        "\n",
        List.of(Json.lenient().readValue(answer, ScapPipe[].class)).stream()
            .map(ScapPipesVerb::line)
            .toList());
  }

  /** Describes a pipe in one line. */
  static String line(ScapPipe pipe) {
    String state = !pipe.employed() ? "withdrawn" : pipe.up() ? "up" : "down";
    Double smoothed = pipe.smoothedRoundTripMillis();
    return String.format(
        Locale.ROOT,
        "pipe %d, %s%s, %s: round trip %.1f ms%s, %.3f Mbit/s, queue %d bytes, loss %.1f %%%s; sent %d packets,"
            + " %d bytes; received %d packets, %d bytes; %d refused",
        pipe.number(),
        pipe.device(),
        pipe.peer() == null ? "" : " to " + pipe.peer(),
        state,
        pipe.roundTripMillis(),
        smoothed == null ? "" : String.format(Locale.ROOT, " (%.1f ms now)", smoothed),
        pipe.bitsPerSecond() / 1e6,
        pipe.queueBytes(),
        100 * pipe.lossProbability(),
        pipe.measured() ? ", measured" : "",
        pipe.sentPackets(),
        pipe.sentBytes(),
        pipe.receivedPackets(),
        pipe.receivedBytes(),
        pipe.refusedPackets());
  }
}
