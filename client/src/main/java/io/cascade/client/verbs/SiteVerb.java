package io.cascade.client.verbs;

import io.cascade.client.siting.SitingDocument;
import io.cascade.client.siting.SitingFiles;
import io.cascade.client.siting.SitingText;
import io.cascade.command.CommandException;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.siting.Objective;
import io.cascade.siting.SitePlanner;
import io.cascade.siting.Siting;
import io.cascade.siting.SitingRequest;
import io.cascade.siting.SolverUnavailable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "site",
    mixinStandardHelpOptions = true,
    description = {
      "Choose the sites to rent for relays, given candidates, traffic and measured links.",
      "Each demand is carried directly or over its best chain through rented sites. The choice is"
          + " exact, with its proof, or the best found within --time-limit, with its bound."
    })
public final class SiteVerb implements Callable<Integer> {
  @Mixin private AssumedCapacityOption capacity = new AssumedCapacityOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--candidates",
      required = true,
      paramLabel = "FILE",
      description =
          "Read the candidates from this described network, such as docs/examples/sites.json; every"
              + " node with a pricePerHour can be rented.")
  private Path candidates;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--demands",
      required = true,
      paramLabel = "FILE",
      description =
          "Read the traffic from this file, such as docs/examples/demands.json: from, to, bytes"
              + " (none: a stream), weight, requiredBitsPerSecond.")
  private Path demands;

  @Option(
      names = "--links",
      paramLabel = "FILE",
      description = "Read the links from this described network, if they are not in --candidates.")
  private @Nullable Path links;

  @Option(names = "--k", paramLabel = "N", description = "Rent at most N sites.")
  private @Nullable Integer most;

  @Option(
      names = "--budget",
      paramLabel = "PRICE",
      description = "Spend at most this much per hour, with or instead of --k.")
  private @Nullable Double budget;

  @Option(
      names = "--max-relays",
      paramLabel = "N",
      defaultValue = "2",
      description = "Use at most N relays in a chain, 1 to 4 (default: ${DEFAULT-VALUE}).")
  private int maxRelays = 2;

  @Option(
      names = "--objective",
      paramLabel = "time|gain",
      description =
          "time: save the most weighted seconds; gain: gain the most over direct rates (default:"
              + " time if every demand has bytes, else gain).")
  private @Nullable Objective objective;

  @Option(
      names = "--congestion-control",
      paramLabel = "NAME",
      defaultValue = "cubic",
      description =
          "Use this congestion control on the hops between relays, such as reno, cubic or bbr"
              + " (default: ${DEFAULT-VALUE}).")
  private String hopControl = "cubic";

  @Option(
      names = "--source-congestion-control",
      paramLabel = "NAME",
      defaultValue = "cubic",
      description =
          "Assume this congestion control for direct connections (default: ${DEFAULT-VALUE}).")
  private String directControl = "cubic";

  @Option(
      names = "--time-limit",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Stop the solver after this long (default: ${DEFAULT-VALUE}).")
  private double timeLimitSeconds = 60;

  @Option(
      names = "--greedy",
      description = "Choose one site after the other: needs no solver, proves nothing.")
  private boolean greedy;

  @Override
  public Integer call() {
    if (most == null && budget == null) {
      throw new ParameterException(
          spec.commandLine(), "how many? (expected: --k N, --budget PRICE, or both)");
    }
    SitingRequest request;
    try {
      request = request();
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
    Siting siting;
    try {
      siting = greedy ? new SitePlanner().greedy(request) : new SitePlanner().exact(request);
    } catch (SolverUnavailable e) {
      throw new CommandException(e.getMessage() + ": --greedy", e);
    }
    SitingDocument document = SitingDocument.of(request, siting);
    if (output.json()) {
      output.document(document);
    } else {
      SitingText.print(document, request.sites().size(), output.out());
    }
    return 0;
  }

  private SitingRequest request() {
    SitingFiles files = SitingFiles.read(candidates, demands, links, capacity.bitsPerSecond());
    boolean transfersOnly = files.demands().stream().allMatch(demand -> demand.bytes().isPresent());
    Objective chosen =
        Optional.ofNullable(objective).orElse(transfersOnly ? Objective.TIME : Objective.GAIN);
    SitingRequest request =
        SitingRequest.of(
                files.sites(),
                files.demands(),
                files.links(),
                most == null ? files.sites().size() : most,
                chosen)
            .withMaxRelays(maxRelays)
            .withControl(
                control("--source-congestion-control", directControl),
                control("--congestion-control", hopControl))
            .withTimeLimit(Duration.ofMillis(Math.max(1, Math.round(1_000 * timeLimitSeconds))));
    return budget == null ? request : request.withBudget(budget);
  }

  private static CongestionControl control(String option, String name) {
    return CongestionControl.named(name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                option + ": " + name + " (expected: reno, cubic, bbr or bbr3)"));
  }
}
