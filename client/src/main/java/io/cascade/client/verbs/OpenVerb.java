package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.Source;
import io.cascade.client.terminal.CodedFallBack;
import io.cascade.client.terminal.PlanSummary;
import io.cascade.client.terminal.RouteText;
import io.cascade.client.terminal.SetupText;
import io.cascade.client.ways.Chains;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.FirstOptions;
import io.cascade.command.OptionSection;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@FirstOptions({"--to", "--ingress-port", "--via", "--bytes", "--orchestrator"})
@Command(
    name = "open",
    mixinStandardHelpOptions = true,
    customSynopsis = "cascade open --to HOST:PORT [OPTIONS]",
    description = {
      "Set up a chain of relays and print the address to connect to, alone on stdout.",
      "Without --via the planner chooses the relays, and opens nothing if it expects the direct"
          + " path to be as good or cannot tell. With --via the chain is opened in any case. With"
          + " --try an undecided plan is tested for 5 s, and the chain is opened unless the direct"
          + " path proves as good. The chain stays open until it is closed."
    },
    footer = {
      "",
      "Examples:",
      "  cascade open --to db.example.org:5432 --name db --ingress-port 15432",
      "  cascade open --to files.example.org:9000 --via den,sea --security tls",
      "  cascade open --to files.example.org:9000 --bytes 1GiB --try",
      "  cascade open --to files.example.org:9000 --via den,nyc --pipes 2",
      "  cascade open --to files.example.org:9000 --pipe den,chi,nyc --pipe den,dal,nyc"
    })
public final class OpenVerb implements Callable<Integer> {
  /** The contract's limit. */
  private static final double MOST_SECONDS = 30;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private PathOptions path = new PathOptions();
  @Mixin private ChainShape shape = new ChainShape();
  @Mixin private SourceOption sources = new SourceOption();
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      converter = HostPortConverter.class,
      description = "Connect the last relay to this destination.")
  private HostPort to;

  @Option(names = "--name", paramLabel = "NAME", description = "Name the chain.")
  private @Nullable String name;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      description =
          "Plan for a transfer of this size, such as 1GiB (default: a stream without end).")
  private @Nullable DataSize bytes;

  @OptionSection(OptionSection.TO_COMPARE)
  @Option(
      names = "--setup",
      paramLabel = "HOW",
      description =
          "Install the chain on all relays at once or on one relay after another:"
              + " ${COMPLETION-CANDIDATES} (default: PARALLEL).")
  private @Nullable SetupMode setup;

  @Option(
      names = "--ingress-port",
      paramLabel = "PORT",
      description = "Listen on this port at the first relay (default: a free port).")
  private @Nullable Integer ingressPort;

  @Option(
      names = "--try",
      arity = "0..1",
      paramLabel = "SECONDS",
      fallbackValue = "5",
      description = {
        "If the plan is undecided, let relays run the throughput tests that would decide, for this"
            + " long (default: 5; at most 30), and open the chain unless the direct path proves as"
            + " good. stats and chain then show what the chain gains."
      })
  private @Nullable Double trySeconds;

  @Option(
      names = "--lease",
      paramLabel = "SECONDS",
      description = {
        "Treat the chain as unattended when its lease has not been renewed for this long (default:"
            + " 60). Relays keep serving it for as long as relay --serve-alone says."
      })
  private @Nullable Integer lease;

  @Option(
      names = "--pipe",
      paramLabel = "RELAY,RELAY[,...]",
      converter = PipeConverter.class,
      description = {
        "Use these relays, such as a,b,z, for one of the pipes that carry every stream together."
            + " Repeat for each pipe; all begin at the same relay and end at the same relay. A"
            + " stream survives as long as one pipe is left."
      })
  private List<PipeConverter.Pipe> pipes = List.of();

  @Mixin private PipeCount count = new PipeCount();

  @Option(
      names = "--junction",
      paramLabel = "RELAY[,RELAY...]",
      split = ",",
      description =
          "Lead all pipes through these relays, in order, and reassemble and divide streams there,"
              + " such as m for --pipe a,b,m,c,z --pipe a,d,m,e,z: then one pipe may fail on"
              + " either side of m.")
  private List<String> junctions = List.of();

  @Override
  public Integer call() throws InterruptedException {
    checkTry();
    checkPipes();
    OrchestratorClient client = orchestrator.client();
    boolean planned = path.via().isEmpty() && pipes.isEmpty();
    Source source = planned ? path.source(client, to, output) : null;
    Plan shown = planned ? client.plan(question(source)) : null;
    if (shown != null) {
      refuseAgainst(shown);
    }
    Chain chain =
        client.open(
            ChainRequest.builder()
                .destination(to.toString())
                .name(name)
                .via(path.viaOrNull())
                .avoid(path.avoidOrNull())
                .maxRelays(path.maxRelays())
                .bytes(bytes == null ? null : (Long) bytes.bytes())
                .source(source)
                .setup(setup)
                .ingressPort(ingressPort)
                .leaseSeconds(lease)
                .options(sources.with(shape.options()))
                .question(path.controlsOrNull() == null ? null : question(source))
                .pipes(
                    pipes.isEmpty()
                        ? null
                        : pipes.stream().map(PipeConverter.Pipe::relays).toList())
                .parallel(count.parallel())
                .routes(count.routes())
                .junctions(junctions.isEmpty() ? null : junctions)
                .build(),
            UUID.randomUUID().toString());
    output.note(
        "chain %s to %s via %s is %s"
                .formatted(chain.id(), chain.destination(), RouteText.relays(chain), chain.state())
            + PlanSummary.otherwise(count.isGiven() ? null : shown, chain.relays()));
    RouteText.shares(chain).forEach(output::note);
    if (chain.setup() != null) {
      SetupText.print(chain.setup(), output.err());
    }
    if (output.json()) {
      output.document(chain);
    } else {
      output.out().println(Chains.ingress(chain));
      output.out().flush();
    }
    if (shape.mayBeCoded() || CodedFallBack.isPlannedCoded(chain)) {
      CodedFallBack.of(client, chain.id()).forEach(output::note);
    }
    return 0;
  }

  private void checkPipes() {
    count.check();
    boolean overOneRoute = count.parallel() != null;
    if (!junctions.isEmpty() && pipes.isEmpty() && (!overOneRoute || path.via().isEmpty())) {
      throw new ParameterException(
          spec.commandLine(),
          "--junction without pipes that lead through it; fix: name them with --pipe, or with --via"
              + " and --parallel");
    }
    if (pipes.isEmpty()) {
      return;
    }
    UnusedOptions.refuse(
        spec,
        "--pipe",
        "pipes name all their relays, and nothing is planned",
        List.of(
            "--try",
            "--from",
            "--avoid",
            "--max-relays",
            "--probes",
            "--source-congestion-control"));
    if (count.routes() != null) {
      throw new ParameterException(
          spec.commandLine(),
          "--pipes with --pipe: both say how many pipes there are; fix: leave one of them out");
    }
    if (overOneRoute || !path.via().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--pipe with "
              + (overOneRoute ? "--parallel" : "--via")
              + ": pipes name all their relays; fix: leave one of them out");
    }
  }

  private void checkTry() {
    if (trySeconds == null) {
      return;
    }
    if (!path.via().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "--try with --via: named relays are opened without a plan; fix: leave one of them out");
    }
    if (!(trySeconds >= 0 && trySeconds <= MOST_SECONDS)) {
      throw new ParameterException(
          spec.commandLine(), "--try " + trySeconds + " (expected: 0 to 30 seconds)");
    }
  }

  private PlanRequest question(@Nullable Source source) {
    ChainOptions options = shape.options();
    return PlanRequest.builder()
        .destination(to.toString())
        .bytes(bytes == null ? null : (Long) bytes.bytes())
        .source(source)
        .via(path.viaOrNull())
        .avoid(path.avoidOrNull())
        .maxRelays(path.maxRelays())
        .congestionControl(options == null ? null : options.congestionControl())
        .measureSeconds(trySeconds)
        .controls(path.controlsOrNull())
        .transport(shape.transport())
        .build();
  }

  /**
   * Refuses to open a chain, unless the plan expects a gain, or cannot tell and the user asked to
   * try.
   *
   * @throws CommandException with the option that opens it nevertheless
   */
  private void refuseAgainst(Plan plan) {
    String sentence = PlanSummary.of(plan, Instant.now());
    List<String> relays = plan.relays();
    if (relays == null || relays.isEmpty()) {
      output.note("plan: " + sentence); // The orchestrator will report the obstacle.
      return;
    }
    String anyway = " --via " + String.join(",", relays) + " opens it anyway";
    switch (plan.decision()) {
      case CASCADE -> output.note("plan: " + sentence);
      case DIRECT, EQUAL -> throw new CommandException("not opened. " + sentence + anyway);
      case UNDECIDED -> {
        if (trySeconds == null) {
          throw new CommandException(
              "not opened. "
                  + sentence
                  + " --try measures for 5 s and opens it unless direct proves as good;"
                  + anyway);
        }
        output.note("plan: " + sentence);
        output.note("opened to try: ./cascade stats shows what it carries");
      }
    }
  }
}
