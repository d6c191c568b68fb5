package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.MultipathDocument;
import io.cascade.contract.PlanDocument;
import io.cascade.contract.PlanQuestion;
import io.cascade.contract.PlanRequestBuilder;
import io.cascade.model.calibration.Exploration;
import io.cascade.model.multipath.MultipathPlan;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.Plan;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.Topology;
import io.cascade.model.planning.TrialRoute;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Plans: has relays probe the destination, assembles what was measured, asks the model and has
 * decisive links tested.
 *
 * <p>The source is one of three: a host that measured for itself; the site of a relay, which then
 * measures the direct path in its stead; or unknown, in which case only cascades can be predicted,
 * as if the source stood beside their ingress.
 */
@Component
public class Planner {
  /** Plans that tests may lead to for one request: a test can show which further ones decide. */
  private static final int MOST_ROUNDS = 4;

  /** Most relays of a route, where the request does not say. */
  private static final int MOST_RELAYS = 4;

  private final RelayRegistry relays;
  private final NetworkEvidence evidence;
  private final DestinationProbes probes;
  private final Exploration exploration;
  private final DecisiveTests tests;
  private final Timekeeper time;
  private final RoutePlanner model = new RoutePlanner();

  Planner(
      RelayRegistry relays,
      NetworkEvidence evidence,
      DestinationProbes probes,
      Exploration exploration,
      DecisiveTests tests,
      Timekeeper time) {
    this.relays = relays;
    this.evidence = evidence;
    this.probes = probes;
    this.exploration = exploration;
    this.tests = tests;
    this.time = time;
  }

  /**
   * One call of the planner.
   *
   * @param toOpen whether something is opened by the plan
   * @param ingress where all cascades have to begin; null for anywhere
   * @param guarded whether a proxy's client named the destination, so that relays that listen on
   *     loopback only keep loopback closed
   */
  private record Question(
      PlanRequest request, boolean toOpen, @Nullable String ingress, boolean guarded) {
    List<String> via() {
      return Objects.requireNonNullElse(request.via(), List.of());
    }

    Set<String> avoid() {
      return new HashSet<>(Objects.requireNonNullElse(request.avoid(), List.of()));
    }

    boolean trial() {
      return Boolean.TRUE.equals(request.trial()) && via().isEmpty();
    }

    /** Whether there is time to measure for the plan. */
    boolean thorough() {
      return request.measureSeconds() == null || request.measureSeconds() > 0;
    }
  }

  /** The model's question and its answer. */
  private record Solution(
      Topology topology, io.cascade.model.planning.PlanRequest question, Plan plan) {
    /** The cascade to try, where the direct path carries the traffic beside it. */
    Optional<Candidate> trial(Question asked) {
      return asked.trial() ? TrialRoute.of(topology, question, plan) : Optional.empty();
    }
  }

  /** A plan, and the throughput tests that it calls for. */
  private record Attempt(Planned planned, Plan plan, List<DecisiveTests.Wanted> tests) {}

  /**
   * The best plan.
   *
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned plan(PlanRequest request) {
    return plan(new Question(request, false, null, false));
  }

  /**
   * A plan that something is to be opened by: now and then another cascade than the best, to learn
   * of it, where the orchestrator was told to explore.
   *
   * @param guarded whether the destination was named by a proxy's client, so that relays that
   *     listen on loopback only keep loopback closed
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned planToOpen(PlanRequest request, boolean guarded) {
    return plan(new Question(request, true, null, guarded));
  }

  /**
   * The best plan whose cascades all begin at one relay.
   *
   * @param request has it for a source
   * @param guarded see {@link #planToOpen}
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned planFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(new Question(request, false, ingress, guarded));
  }

  /**
   * The best plan to open something by, see {@link #planToOpen}, whose cascades all begin at one
   * relay.
   *
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned planToOpenFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(new Question(request, true, ingress, guarded));
  }

  /**
   * The routes of the pipes between two relays.
   *
   * @param most pipes
   * @param request of the chain; relays that it requires do not count
   * @param chain the plan that led to the two relays; null where somebody named them
   * @throws Refusal where no route joins them
   */
  public PlannedPipes pipes(
      String first,
      String last,
      int most,
      PlanRequest request,
      io.cascade.api.orchestrator.@Nullable Plan chain) {
    PlanRequest free = PlanRequestBuilder.like(request).via(null).build();
    PlanInputs inputs = inputs(new Question(free, true, null, false));
    List<String> notes = new ArrayList<>();
    RelayControls controls = RelayControls.of(free, inputs.relays().byName(), notes);
    MeasuredNetwork network =
        NetworkAssembly.assemble(
            evidence, inputs, free.capacityBitsPerSecond(), time.steady(), notes);
    CongestionControl direct = RelayControls.ofSource(null, relays.known(first), notes);
    int between = Math.max(1, Objects.requireNonNullElse(free.maxRelays(), MOST_RELAYS) - 2);
    Set<String> avoid = new HashSet<>(Objects.requireNonNullElse(free.avoid(), List.of()));
    avoid.addAll(List.of(SOURCE, DESTINATION));
    Supplier<io.cascade.model.planning.PlanRequest.Builder> question =
        () -> {
          var builder =
              PlanQuestion.between(first, last, free)
                  .maxRelays(between)
                  .congestionControl(direct, CongestionControl.CUBIC);
          controls.addTo(builder);
          return builder;
        };
    PipeRoutes.Chosen chosen =
        new PipeRoutes(network.topology(), first, last, question, avoid).choose(most);
    if (chosen.pipes().isEmpty()) {
      throw new Refusal(
          ProblemKind.NO_ROUTE,
          "routes: no measured route leads from "
              + first
              + " to "
              + last
              + " (fix: name the pipes with pipes, or let the relays measure each other first)");
    }
    io.cascade.api.orchestrator.Plan document =
        chain == null ? segment(network, question, avoid, free, notes) : chain;
    return new PlannedPipes(
        chosen.pipes(),
        chosen.together().map(MultipathPlan::bitsPerSecond).orElse(0.0),
        MultipathDocument.ofPipes(document, first, last, chosen.together(), chosen.notes()));
  }

  /** The plan of one route between the two ends of a segment. */
  private io.cascade.api.orchestrator.Plan segment(
      MeasuredNetwork network,
      Supplier<io.cascade.model.planning.PlanRequest.Builder> question,
      Set<String> avoid,
      PlanRequest request,
      List<String> notes) {
    return new PlanDocument(network.topology(), network::isAssumed)
        .of(
            model.plan(network.topology(), built(question.get().avoid(avoid))),
            request.destination(),
            request.bytes(),
            notes,
            time.now(),
            null);
  }

  /**
   * Plans, has tests run where they are due, and waits for those that may decide as long as the
   * request says.
   */
  private Planned plan(Question asked) {
    if (!asked.thorough()) {
      return attempt(asked).planned();
    }
    long until = tests.until(asked.request().measureSeconds());
    Attempt attempt = attempt(asked);
    for (int round = 0;
        round < MOST_ROUNDS && tests.run(attempt.plan(), attempt.tests(), until);
        round++) {
      attempt = attempt(asked);
    }
    return attempt.planned();
  }

  private Attempt attempt(Question asked) {
    PlanRequest request = asked.request();
    PlanInputs inputs = inputs(asked);
    List<String> notes = new ArrayList<>(PlanQuestion.notes(request));
    notes.addAll(inputs.relays().notes());
    RelayControls controls = RelayControls.of(request, inputs.relays().byName(), notes);
    CongestionControl direct = RelayControls.ofSource(request.source(), inputs.site(), notes);
    MeasuredNetwork network =
        NetworkAssembly.assemble(
            evidence, inputs, request.capacityBitsPerSecond(), time.steady(), notes);
    noteStrangers(inputs.observations(), notes);
    HopBuffers buffers = new HopBuffers(inputs.relays().byName());
    network.buffers(buffers);
    Solution solution = solve(request, inputs, network, controls, direct, notes);

    Plan plan = solution.plan();
    notes.addAll(inputs.reach().notes());
    Optional<Candidate> trial = solution.trial(asked);
    Optional<Candidate> way = way(asked, plan, trial, notes);
    way.ifPresent(chosen -> notes.addAll(buffers.heldBack(chosen, request.bytes())));
    Planned planned =
        new Planned(
            document(request, inputs, network, solution, notes),
            way.map(chosen -> chosen.route().relays()).orElse(List.of()),
            pays(plan, asked.via()),
            inputs.reach().obstacles(),
            inputs.reach().notAllowed());
    return new Attempt(planned, plan, tests.of(plan, trial, standIns(inputs), controls));
  }

  private PlanInputs inputs(Question asked) {
    PlanRequest request = asked.request();
    List<String> via = asked.via();
    Set<String> avoid = asked.avoid();
    check(request.destination(), via, avoid);
    HostPort destination = Destinations.parse(request.destination());
    UsableRelays usable =
        via.isEmpty()
            ? UsableRelays.up(relays.all(), avoid)
            : UsableRelays.required(via.stream().map(relays::known).toList());
    RegisteredRelay site = site(request.source());
    SourceObservations observations = SourceObservations.of(request.source());
    return new PlanInputs(
        destination,
        usable,
        site,
        asked.ingress(),
        relayAt(destination),
        reach(asked, destination, usable, site),
        observations,
        request.client());
  }

  /** Has every relay that may be the egress probe the destination, and the source's relay. */
  private DestinationReach reach(
      Question asked, HostPort destination, UsableRelays usable, @Nullable RegisteredRelay site) {
    Map<String, RegisteredRelay> probing = new LinkedHashMap<>(usable.byName());
    if (!asked.via().isEmpty()) {
      probing.keySet().retainAll(Set.of(asked.via().getLast()));
    }
    if (site != null) {
      probing.put(site.name(), site);
    }
    probing.values().removeIf(RegisteredRelay::isLost);
    return new DestinationReach(
        probes.probe(probing.values(), destination, asked.guarded(), asked.thorough()));
  }

  private @Nullable RegisteredRelay site(@Nullable Source source) {
    return source == null || source.relay() == null ? null : relays.known(source.relay());
  }

  private @Nullable String relayAt(HostPort destination) {
    List<String> there =
        relays.all().stream()
            .filter(relay -> relay.hop().host().equalsIgnoreCase(destination.host()))
            .map(RegisteredRelay::name)
            .toList();
    // Several on one host: on which link would the path be?
    return there.size() == 1 ? there.getFirst() : null;
  }

  private void noteStrangers(SourceObservations observations, List<String> notes) {
    List<String> strangers = observations.strangers(name -> relays.find(name).isPresent());
    if (!strangers.isEmpty()) {
      notes.add("Observed, but not relays here: " + String.join(", ", strangers) + ".");
    }
  }

  private Solution solve(
      PlanRequest request,
      PlanInputs inputs,
      MeasuredNetwork network,
      RelayControls controls,
      CongestionControl direct,
      List<String> notes) {
    io.cascade.model.planning.PlanRequest.Builder builder =
        PlanQuestion.between(SOURCE, DESTINATION, request)
            .congestionControl(direct, CongestionControl.CUBIC);
    builder.senderControl(SOURCE, direct);
    controls.addTo(builder);
    if (inputs.observations().neverReachedDestination()) {
      builder.noDirectPath();
      notes.add("The source does not reach the destination without relays.");
    }
    io.cascade.model.planning.PlanRequest question = built(builder);
    Topology topology = network.topology();
    return new Solution(topology, question, model.plan(topology, question));
  }

  private static io.cascade.model.planning.PlanRequest built(
      io.cascade.model.planning.PlanRequest.Builder question) {
    try {
      return question.build();
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  /** The cascade that would be opened: the best, or another one to learn of it. */
  private Optional<Candidate> way(
      Question asked, Plan plan, Optional<Candidate> trial, List<String> notes) {
    Optional<Candidate> explored =
        asked.toOpen() && asked.via().isEmpty() ? exploration.instead(plan) : Optional.empty();
    // A proxy's streams go the one way or the other, and only undecided plans have them do both.
    boolean beside = asked.ingress() == null || plan.decision() == Decision.UNDECIDED;
    Optional<Candidate> tried =
        asked.toOpen() && beside && explored.isEmpty() ? trial : Optional.empty();
    tried.ifPresent(other ->
        notes.add(
            "Tried: the chain goes "
                + other.label()
                + ", of which no rate was seen yet. It is the fastest if links of which little is"
                + " known lose as the direct path does."));
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

  /** The relays that stand where the plan's source and destination are. */
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

  private static boolean pays(Plan plan, List<String> via) {
    return via.isEmpty()
        ? plan.decision() == Decision.CASCADE
        // The model does not doubt relays that were required; here the question is whether to.
        : plan.gain().filter(gain -> gain.low() > 1).isPresent();
  }

  /**
   * Checks what can be wrong with a request whatever was measured.
   *
   * @throws Refusal where destination or relays make no sense
   */
  public void check(String destination, List<String> via, Collection<String> avoid) {
    Destinations.parse(destination);
    Set<String> seen = new HashSet<>();
    for (String relay : via) {
      if (relay == null || !seen.add(relay)) {
        throw new Refusal(
            ProblemKind.INVALID_ROUTE, "via: " + relay + " twice (expected: each relay once)");
      }
      if (avoid.contains(relay)) {
        throw new Refusal(
            ProblemKind.INVALID_ROUTE, "via: " + relay + " (expected: none of those to avoid)");
      }
    }
  }
}
