package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.contract.MultipathDocument;
import io.cascade.contract.PlanDocument;
import io.cascade.contract.PlanQuestion;
import io.cascade.model.calibration.Exploration;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.PairedComparison;
import io.cascade.model.planning.RouteAnswer;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.RouteQuestion;
import io.cascade.model.planning.Topology;
import io.cascade.model.planning.TrialRoute;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Makes plans: has relays probe the destination, assembles the measurements, runs the model and has
 * decisive links tested.
 *
 * <p>The source is one of three: a host with its own measurements; the site of a relay, which then
 * measures the direct path in its place; or unknown, in which case only cascades can be predicted,
 * as if the source were beside their ingress.
 */
@Component
public class Planner {
  /**
   * Most repetitions of a plan after tests for one request: a test can show which further ones
   * decide.
   */
  private static final int MOST_ROUNDS = 4;

  private final RelayRegistry relays;
  private final NetworkEvidence evidence;
  private final PlanInputCollector collector;
  private final Exploration exploration;
  private final DecisiveTests tests;
  private final ClientQuestions questions;
  private final WayComparisons comparisons;
  private final Timekeeper time;
  private final RoutePlanner model = new RoutePlanner();

  /**
   * Threads that compute plans, which takes long with many relays. On a virtual thread the
   * computation would occupy one of the few carrier threads, which also answer heartbeats and all
   * other requests.
   */
  private final ExecutorService computing =
      Executors.newFixedThreadPool(
          Math.max(1, Runtime.getRuntime().availableProcessors() / 2),
          Thread.ofPlatform().daemon().name("plans-", 0).factory());

  Planner(
      RelayRegistry relays,
      NetworkEvidence evidence,
      PlanInputCollector collector,
      Exploration exploration,
      DecisiveTests tests,
      ClientQuestions questions,
      WayComparisons comparisons,
      Timekeeper time) {
    this.relays = relays;
    this.evidence = evidence;
    this.collector = collector;
    this.exploration = exploration;
    this.tests = tests;
    this.questions = questions;
    this.comparisons = comparisons;
    this.time = time;
  }

  @PreDestroy
  void close() {
    computing.shutdown();
  }

  /** The model's question and its answer. */
  private record Solution(Topology topology, RouteQuestion question, RouteAnswer plan) {
    /** The cascade to try, if the direct path carries traffic beside it. */
    Optional<Candidate> trial(PlanCall asked) {
      return asked.trial() ? TrialRoute.of(topology, question, plan) : Optional.empty();
    }

    Solution decidedBy(Candidate cascade, PairedComparison compared) {
      return new Solution(topology, question, plan.decidedBy(cascade, compared));
    }
  }

  /**
   * Tests that show which of a cascade and the direct way is faster.
   *
   * @param asPlanned whether the tests used the congestion controls of the plan
   */
  private record Tested(
      Candidate cascade, TestedWays ways, boolean asPlanned, PairedComparison result) {}

  /** A plan, and the throughput tests that it calls for. */
  private record Attempt(Planned planned, RouteAnswer plan, List<DecisiveTests.Wanted> tests) {}

  /** Counts the source's own connections to the destination within its hour. */
  void observed(PlanRequest request) {
    collector.observed(request);
  }

  /**
   * The best plan.
   *
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  public Planned plan(PlanRequest request) {
    return plan(new PlanCall(request, false, null, false));
  }

  /**
   * A plan from which a chain is opened. If the orchestrator explores, it is sometimes a cascade
   * other than the best, to learn about it.
   *
   * @param guarded whether a proxy's client named the destination, so that relays that listen only
   *     on loopback refuse loopback destinations
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  public Planned planToOpen(PlanRequest request, boolean guarded) {
    return plan(new PlanCall(request, true, null, guarded));
  }

  /**
   * The best plan whose cascades all begin at one relay.
   *
   * @param request names this relay as its source
   * @param guarded see {@link #planToOpen}
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  public Planned planFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(new PlanCall(request, false, ingress, guarded));
  }

  /**
   * The plan from which a chain is opened, see {@link #planToOpen}, with all cascades beginning at
   * one relay.
   *
   * @throws Refusal if the request contradicts itself or names an unknown relay
   */
  public Planned planToOpenFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(new PlanCall(request, true, ingress, guarded));
  }

  /**
   * Plans, has due tests run, and waits for those that may decide the plan as long as the request
   * allows.
   */
  private Planned plan(PlanCall asked) {
    relays.needed();
    if (asked.stored()) {
      return attempt(withStoredSource(asked)).planned();
    }
    if (!asked.thorough()) {
      return attempt(asked).planned();
    }
    long until = tests.until(asked.request().measureSeconds());
    boolean isAwaited = asked.request().measureSeconds() != null;
    Attempt attempt = attempt(asked);
    for (int round = 0;
        round < MOST_ROUNDS && tests.run(attempt.plan(), attempt.tests(), until, isAwaited);
        round++) {
      attempt = attempt(asked);
    }
    return attempt.planned();
  }

  private PlanCall withStoredSource(PlanCall asked) {
    PlanRequest request = asked.request();
    if (request.source() != null) {
      return asked;
    }
    String client = request.client();
    return Optional.ofNullable(client)
        .flatMap(known -> questions.find(known, request.destination()))
        .flatMap(before -> Optional.ofNullable(before.source()))
        .map(asked::from)
        .orElseThrow(() ->
            new Refusal(
                ProblemKind.NO_ROUTE,
                "nothing is stored of the way from %s to %s (fix: ask without stored)"
                    .formatted(client, request.destination())));
  }

  private Attempt attempt(PlanCall asked) {
    PlanInputs inputs = collector.collect(asked);
    try {
      return CompletableFuture.supplyAsync(() -> attempt(asked, inputs), computing).join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    } catch (RejectedExecutionException e) {
      throw new Refusal(ProblemKind.NOT_LEADER, "this orchestrator no longer leads");
    }
  }

  private Attempt attempt(PlanCall asked, PlanInputs inputs) {
    PlanRequest request = asked.request();
    List<String> notes = new ArrayList<>(PlanQuestion.notes(request));
    notes.addAll(inputs.relays().notes());
    CongestionChoices controls = CongestionChoices.of(request, inputs.relays().byName(), notes);
    CongestionControl direct = CongestionChoices.ofSource(request.source(), inputs.site(), notes);
    MeasuredNetwork network =
        NetworkAssembly.assemble(
            evidence, inputs, request.capacityBitsPerSecond(), time.steady(), notes);
    noteStrangers(inputs.observations(), notes);
    HopBuffers buffers = new HopBuffers(inputs.relays().byName());
    network.buffers(buffers);
    Solution solved = solve(request, inputs, network, controls, direct, notes);
    Map<String, RegisteredRelay> up =
        relays.all().stream()
            .filter(RegisteredRelay::isUp)
            .collect(Collectors.toMap(RegisteredRelay::name, Function.identity()));
    TestedWays.Found ways = TestedWays.of(solved.plan(), inputs, request, up);
    Optional<Tested> decisive = decisive(solved, inputs, request, up, ways);
    Solution solution =
        decisive.map(one -> solved.decidedBy(one.cascade(), one.result())).orElse(solved);
    decisive
        .filter(one -> !one.asPlanned())
        .ifPresent(_ ->
            notes.add(
                "In the tests relays sent with other congestion controls than planned here."));
    Optional<TestedWays> shown = decisive.map(Tested::ways).or(ways::optional);

    RouteAnswer plan = solution.plan();
    notes.addAll(inputs.reach().notes());
    Optional<Candidate> trial = solution.trial(asked);
    Optional<Candidate> way = way(asked, plan, trial, notes);
    way.ifPresent(chosen -> notes.addAll(buffers.heldBack(chosen, request.bytes())));
    Planned planned =
        new Planned(
            compared(shown, document(request, inputs, network, solution, notes)),
            way.map(chosen -> chosen.route().relays()).orElse(List.of()),
            pays(plan, asked.via()),
            inputs.reach().obstacles(),
            inputs.reach().notAllowed(),
            inputs.reach().untried(),
            ways);
    return new Attempt(planned, plan, tests.of(plan, trial, standIns(inputs), controls));
  }

  /**
   * The tests that decide a plan which its links leave undecided: those of its best cascade, or of
   * another one that they have shown to be faster than the direct way. Streams of the tests are
   * evidence of links, too, so another cascade may be the best after them.
   */
  private Optional<Tested> decisive(
      Solution solved,
      PlanInputs inputs,
      PlanRequest request,
      Map<String, RegisteredRelay> up,
      TestedWays.Found ways) {
    RouteAnswer plan = solved.plan();
    if (plan.decision() != Decision.UNDECIDED) {
      return Optional.empty();
    }
    Candidate best = plan.bestCascade().orElseThrow();
    return ways.optional()
        .flatMap(tested -> decisive(solved, best, tested, tested))
        .or(() ->
            plan.candidates().stream()
                .filter(way -> way.kind() == Candidate.Kind.CASCADE)
                .flatMap(way -> fasterThrough(solved, way, inputs, request, up).stream())
                .findFirst());
  }

  private Optional<Tested> fasterThrough(
      Solution solved,
      Candidate cascade,
      PlanInputs inputs,
      PlanRequest request,
      Map<String, RegisteredRelay> up) {
    return TestedWays.of(solved.plan(), cascade, inputs, request, up)
        .optional()
        .flatMap(planned ->
            comparisons
                .fasterThrough(planned)
                .flatMap(tested -> decisive(solved, cascade, planned, tested)));
  }

  private Optional<Tested> decisive(
      Solution solved, Candidate cascade, TestedWays planned, TestedWays tested) {
    return comparisons
        .find(tested)
        .filter(compared -> compared.decides(solved.question().bytes()))
        .map(compared -> new Tested(cascade, tested, tested.equals(planned), compared.result()));
  }

  private io.cascade.api.orchestrator.Plan compared(
      Optional<TestedWays> ways, io.cascade.api.orchestrator.Plan document) {
    return ways.map(tested -> comparisons.shown(document, tested)).orElse(document);
  }

  private void noteStrangers(SourceObservations observations, List<String> notes) {
    List<String> strangers = observations.strangers(name -> relays.find(name).isPresent());
    if (!strangers.isEmpty()) {
      notes.add("Observed, but not registered as relays: " + String.join(", ", strangers) + ".");
    }
  }

  private Solution solve(
      PlanRequest request,
      PlanInputs inputs,
      MeasuredNetwork network,
      CongestionChoices controls,
      CongestionControl direct,
      List<String> notes) {
    RouteQuestion.Builder builder =
        PlanQuestion.between(SOURCE, DESTINATION, request)
            .congestionControl(direct, CongestionControl.CUBIC);
    builder.senderControl(SOURCE, direct);
    controls.addTo(builder);
    if (inputs.observations().neverReachedDestination()) {
      builder.noDirectPath();
      notes.add("The source does not reach the destination without relays.");
    }
    RouteQuestion question = built(builder);
    Topology topology = network.topology();
    return new Solution(topology, question, model.plan(topology, question));
  }

  /**
   * Builds the model's question.
   *
   * @throws Refusal if it contradicts itself
   */
  static RouteQuestion built(RouteQuestion.Builder question) {
    try {
      return question.build();
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** The cascade that would be opened: the best, or another one to learn about it. */
  private Optional<Candidate> way(
      PlanCall asked, RouteAnswer plan, Optional<Candidate> trial, List<String> notes) {
    Optional<Candidate> explored =
        asked.toOpen() && asked.via().isEmpty() ? exploration.instead(plan) : Optional.empty();
    // A proxy's stream uses only one of the ways; both are in use only while the plan is undecided.
    boolean beside = asked.ingress() == null || plan.decision() == Decision.UNDECIDED;
    Optional<Candidate> tried =
        asked.toOpen() && beside && explored.isEmpty() ? trial : Optional.empty();
    tried.ifPresent(other ->
        notes.add(
            "Tried: the chain goes "
                + other.label()
                + ", whose rate was not measured yet. It is the fastest if little-measured links"
                + " lose packets as the direct path does."));
    explored.ifPresent(other ->
        notes.add(
            String.format(
                Locale.ROOT,
                "Explored: the chain goes %s, which may be as good as the best, to learn how good it"
                    + " is; %.3g %% of decisions do so.",
                other.label(),
                100 * exploration.share())));
    return explored.or(() -> tried).or(plan::bestCascade);
  }

  private io.cascade.api.orchestrator.Plan document(
      PlanRequest request,
      PlanInputs inputs,
      MeasuredNetwork network,
      Solution solution,
      List<String> notes) {
    io.cascade.api.orchestrator.Plan document =
        new PlanDocument(solution.topology(), network::isAssumed)
            .of(
                solution.plan(),
                inputs.destination().toString(),
                request.bytes(),
                notes,
                time.now(),
                network.measuredAt(solution.plan()).map(this::ageSeconds).orElse(null));
    int paths = PlanQuestion.paths(request);
    return paths > 1
        ? MultipathDocument.with(
            document,
            paths,
            inputs.sourceIsKnown()
                ? new MultipathPlanner().plan(solution.topology(), solution.question(), paths)
                : Optional.empty())
        : document;
  }

  private double ageSeconds(Instant then) {
    return Math.max(0, Duration.between(then, time.steady()).toNanos() / 1e9);
  }

  /** The relays at the sites of the plan's source and destination. */
  private static Map<String, String> standIns(PlanInputs inputs) {
    Map<String, String> standIns = new HashMap<>();
    if (inputs.site() != null) {
      standIns.put(SOURCE, inputs.site().name());
    }
    if (inputs.atDestination() != null) {
      standIns.put(DESTINATION, inputs.atDestination());
    }
    return standIns;
  }

  private static boolean pays(RouteAnswer plan, List<String> via) {
    return via.isEmpty()
        ? plan.decision() == Decision.CASCADE
        // The model does not question required relays; here the question is whether to use them.
        : plan.gain().filter(gain -> gain.low() > 1).isPresent();
  }

  /**
   * Checks a request as far as that is possible without measurements.
   *
   * @throws Refusal if the destination or the relays are invalid
   */
  public void check(String destination, List<String> via, Collection<String> avoid) {
    PlanInputCollector.check(destination, via, avoid);
  }
}
