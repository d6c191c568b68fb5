package io.cascade.client.verbs;

import io.cascade.api.HostPort;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.Decision;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.api.orchestrator.TransportChoice;
import io.cascade.client.terminal.CodedFallBack;
import io.cascade.client.terminal.InstallCommand;
import io.cascade.client.terminal.PlanText;
import io.cascade.client.terminal.UndecidedSteps;
import io.cascade.client.throughput.DestinationTest;
import io.cascade.command.CommandException;
import io.cascade.command.DataSize;
import io.cascade.command.FirstOptions;
import io.cascade.contract.NetworkFile;
import io.cascade.contract.NetworkPlan;
import io.cascade.contract.PlanAdvice;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@FirstOptions({"--to", "--bytes", "--from", "--test", "--orchestrator"})
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    customSynopsis = "cascade plan --to HOST:PORT [OPTIONS]",
    description = {
      "Show whether a cascade would pay off, and through which relays. Changes nothing.",
      "Prints every candidate with its predicted time and rate, the decision and its reasons.",
      "With --topology it plans on a described network, without an orchestrator."
    },
    footer = {
      "",
      "Examples:",
      "  cascade plan --to files.example.org:9000 --bytes 1GiB",
      "  cascade plan --to files.example.org:9000 --bytes 1GiB --test",
      "  cascade plan --from virginia --to tokyo.example.org:9000 --test",
      "  cascade plan --to files.example.org:9000 --objective price --min-rate 50Mbit",
      "  cascade plan --to files.example.org:9000 --paths 3",
      "  cascade plan --topology docs/examples/network.json --from virginia --to tokyo"
    })
public final class PlanVerb implements Callable<Integer> {
  private static final int MOST_TEST_SECONDS = 15;

  /** Rounds of tests: the second one tests what the first left undecided. */
  private static final int MOST_TESTS = 2;

  /**
   * Time that a user waits for decisive throughput tests. Tests that share a path run one after the
   * other, 4 to 6 s each; three cover the hops of one relay and the direct path.
   */
  private static final double MEASURE_SECONDS = 20;

  /** The contract's bound of the time in which relays compare two ways. */
  private static final int COMPARE_SECONDS = 45;

  /** Shorter waiting is not reported. */
  private static final Duration NOTABLE = Duration.ofSeconds(2);

  @Mixin private PathOptions path = new PathOptions();
  @Mixin private RouteLimitOptions limits = new RouteLimitOptions();
  @Mixin private AssumedCapacityOption capacity = new AssumedCapacityOption();
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Option(
      names = "--to",
      required = true,
      paramLabel = "HOST:PORT",
      description = "Plan for this destination; with --topology, the node where the traffic ends.")
  private String to;

  @Option(
      names = "--topology",
      paramLabel = "FILE",
      description =
          "Plan on the network that this JSON file describes, such as docs/examples/network.json,"
              + " between the nodes --from and --to.")
  private @Nullable Path topology;

  @Option(
      names = "--bytes",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      description =
          "Plan for a transfer of this size, such as 1GiB (default: a stream without end).")
  private @Nullable DataSize bytes;

  @Option(
      names = "--congestion-control",
      paramLabel = "NAME",
      description =
          "Use this congestion control on the hops between relays, such as reno, cubic or bbr.")
  private @Nullable String congestionControl;

  @Option(
      names = "--transport",
      paramLabel = "KIND",
      description =
          "Carry the hops between relays over tcp, coded, or auto: coded if it is likely to be 1.5"
              + " times as fast (default: auto).")
  private @Nullable TransportChoice transport;

  @Option(
      names = "--paths",
      paramLabel = "N",
      description =
          "Show also what N routes together would deliver, and the command that installs them"
              + " (default: 1); ./cascade open --pipes N chooses routes between two relays by"
              + " itself.")
  private @Nullable Integer paths;

  @Option(
      names = "--test",
      arity = "0..1",
      fallbackValue = "5",
      paramLabel = "SECONDS",
      description =
          "Before planning, send test data directly and through the most promising relays, for this"
              + " long each (default: ${FALLBACK-VALUE}), to a cascade receive --open-to-anyone at"
              + " the destination, which discards it. If no receiver there accepts it, send it to"
              + " the relays at which routes begin. If that does not decide, test once more; then"
              + " relays at both ends, if there are any, compare the two ways. With --from only"
              + " these relays test.")
  private @Nullable Integer testSeconds;

  @Override
  public Integer call() throws InterruptedException {
    checkPaths();
    checkTest();
    Plan plan = topology == null ? measured() : described(topology);
    if (output.json()) {
      output.document(plan);
    } else {
      PlanText.print(plan, output.out());
      if (topology == null) {
        UndecidedSteps.of(plan, path.from(), testSeconds != null).forEach(output.out()::println);
      }
      if (topology == null) {
        path.ownControl()
            .ifPresent(control ->
                output.out().println("direct path: " + control + ", this machine's default"));
        if (paths != null) {
          InstallCommand.of(plan, congestionControl, transport).forEach(output.out()::println);
        }
      }
    }
    return 0;
  }

  private void checkPaths() {
    if (paths != null && (paths < 1 || paths > 8)) {
      throw new ParameterException(spec.commandLine(), "--paths " + paths + " (expected: 1 to 8)");
    }
  }

  private void checkTest() {
    if (testSeconds == null) {
      return;
    }
    if (testSeconds < 1 || testSeconds > MOST_TEST_SECONDS) {
      throw new ParameterException(
          spec.commandLine(),
          "--test " + testSeconds + " (expected: 1 to " + MOST_TEST_SECONDS + " seconds)");
    }
    if (topology != null) {
      throw new ParameterException(
          spec.commandLine(), "--test sends test data: leave out --topology");
    }
  }

  private Plan measured() throws InterruptedException {
    HostPort destination = destination();
    OrchestratorClient client = orchestrator.client();
    PlanRequest request = request(destination.toString(), path.source(client, destination, output));
    Plan plan = plan(client, request);
    if (testSeconds != null) {
      plan = tested(client, request, plan, Duration.ofSeconds(testSeconds));
    }
    if (transport == TransportChoice.CODED || transport == TransportChoice.AUTO) {
      overTcp(plan).forEach(output::note);
      CodedFallBack.of(client, plan).forEach(output::note);
    }
    if (path.from() != null && !PlanAdvice.isReached(plan)) {
      throw new CommandException(
          destination
              + ": neither "
              + path.from()
              + " nor another relay reached it"
              + plan.notes().stream().map(note -> "; " + note).collect(Collectors.joining())
              + " fix: --to, or relay --allow-destination");
    }
    if (path.from() == null && noRelaysLead(plan) && !resolves(destination)) {
      throw new CommandException(
          destination.host()
              + ": no such host: the name resolves neither here nor at a relay; fix: --to");
    }
    return plan;
  }

  /**
   * Plans again with the results of this host's tests, and then with those of the relays' tests.
   */
  private Plan tested(OrchestratorClient client, PlanRequest request, Plan before, Duration each)
      throws InterruptedException {
    Plan plan = before;
    if (path.from() == null) {
      var test = new DestinationTest(client, destination(), each, output::note);
      int rounds = 0;
      do {
        test.run(request, plan);
        plan = plan(client, request);
      } while (++rounds < MOST_TESTS && plan.decision() == Decision.UNDECIDED);
    }
    if (plan.decision() != Decision.UNDECIDED || noRelaysLead(plan)) {
      return plan;
    }
    output.note(
        "relays at both ends compare the two ways, where there are some, for %d s at the most"
            .formatted(COMPARE_SECONDS));
    try {
      return client.plan(request.toBuilder().measureSeconds(0.0).compare(true).build());
    } catch (ProblemException | UnreachableException e) {
      // An orchestrator of an earlier version does not know this question; the previous plan holds.
      output.note("the two ways were not compared: " + e.getMessage());
      return plan;
    }
  }

  /** Requests a plan, and reports what takes long. */
  private Plan plan(OrchestratorClient client, PlanRequest request) {
    Thread waiting =
        Thread.ofVirtual()
            .start(() -> {
              try {
                Thread.sleep(NOTABLE);
                output.note(
                    "waiting for throughput tests between relays, for %.0f s at the most"
                        .formatted(measureSeconds()));
              } catch (InterruptedException e) {
                // The plan was known before.
              }
            });
    try {
      return client.plan(request);
    } finally {
      waiting.interrupt();
    }
  }

  /** Time for each plan: two or three plans are made around this host's own tests. */
  private double measureSeconds() {
    return testSeconds == null ? MEASURE_SECONDS : MEASURE_SECONDS / 2;
  }

  /** Why hops of the best cascade are not coded, if coded ones were requested. */
  private static List<String> overTcp(Plan plan) {
    Candidate cascade =
        plan.relays() == null
            ? null
            : PlanText.candidate(plan, CandidateKind.CASCADE, plan.relays());
    return cascade == null
        ? List.of()
        : cascade.hops().stream()
            .filter(hop -> hop.transport() == TransportChoice.TCP)
            .map(hop -> hop.from() + "–" + hop.to() + " over TCP: " + hop.transportWhy())
            .toList();
  }

  private static boolean noRelaysLead(Plan plan) {
    return plan.relays() == null || plan.relays().isEmpty();
  }

  private static boolean resolves(HostPort destination) {
    try {
      return InetAddress.getAllByName(destination.host()).length > 0;
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private Plan described(Path file) {
    String from = path.from();
    if (from == null) {
      throw new ParameterException(
          spec.commandLine(), "--topology needs --from NODE, where the traffic starts");
    }
    try {
      return NetworkPlan.of(
          NetworkFile.read(file, capacity.bitsPerSecond()),
          from,
          request(to, path.describedSource()),
          Instant.now());
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
  }

  private HostPort destination() {
    try {
      return new HostPortConverter().convert(to);
    } catch (TypeConversionException e) {
      throw new ParameterException(
          spec.commandLine(), "Invalid value for option '--to': " + e.getMessage());
    }
  }

  private PlanRequest request(String destination, @Nullable Source source) {
    return PlanRequest.builder()
        .destination(destination)
        .bytes(bytes == null ? null : (Long) bytes.bytes())
        .source(source)
        .via(path.viaOrNull())
        .avoid(path.avoidOrNull())
        .maxRelays(path.maxRelays())
        .congestionControl(congestionControl)
        .capacityBitsPerSecond(capacity.bitsPerSecond())
        .objective(limits.objective())
        .limits(limits.limits())
        .paths(paths)
        .measureSeconds(measureSeconds())
        .controls(path.controlsOrNull())
        .transport(transport)
        .build();
  }
}
