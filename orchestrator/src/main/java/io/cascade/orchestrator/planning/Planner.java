package io.cascade.orchestrator.planning;

import static io.cascade.orchestrator.planning.MeasuredNetwork.DESTINATION;
import static io.cascade.orchestrator.planning.MeasuredNetwork.SOURCE;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Observation;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.api.orchestrator.Source;
import io.cascade.contract.MultipathDocument;
import io.cascade.contract.PlanDocument;
import io.cascade.contract.PlanQuestion;
import io.cascade.model.calibration.Exploration;
import io.cascade.model.multipath.MultipathPlanner;
import io.cascade.model.planning.Candidate;
import io.cascade.model.planning.Decision;
import io.cascade.model.planning.Learned;
import io.cascade.model.planning.RelayTerms;
import io.cascade.model.planning.RoutePlanner;
import io.cascade.model.planning.Topology;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.corrections.CorrectionBook;
import io.cascade.orchestrator.links.DestinationTransfers;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
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
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Collects what was measured between source, relays and destination and asks the model.
 *
 * <p>The source is one of three: a host that measured for itself; the site of a relay, which then
 * measures the direct path in its stead; or unknown, in which case only cascades can be predicted,
 * as if the source stood beside their ingress.
 */
@Component
public class Planner {
  /** Relays that are considered, the first by name: each of them probes the destination. */
  static final int MOST_CANDIDATES = 32;

  /** Tests show which further ones would decide, but not for ever. */
  private static final int MOST_ROUNDS = 4;

  /** Unanswered connections after which a path counts as broken. */
  private static final int ENOUGH_TO_GIVE_UP = 5;

  private final RelayRegistry relays;
  private final LinkTable links;
  private final DestinationProbes probes;
  private final PromisedCapacity promised;
  private final CorrectionBook corrections;
  private final Exploration exploration;
  private final DestinationTransfers transfers;
  private final DecisiveTests tests;
  private final Timekeeper time;
  private final RoutePlanner model = new RoutePlanner();

  Planner(
      RelayRegistry relays,
      LinkTable links,
      DestinationProbes probes,
      PromisedCapacity promised,
      CorrectionBook corrections,
      Exploration exploration,
      DestinationTransfers transfers,
      DecisiveTests tests,
      Timekeeper time) {
    this.transfers = transfers;
    this.tests = tests;
    this.corrections = corrections;
    this.exploration = exploration;
    this.promised = promised;
    this.relays = relays;
    this.links = links;
    this.probes = probes;
    this.time = time;
  }

  /** A plan, and the throughput tests that it calls for. */
  private record Attempt(
      Planned planned, io.cascade.model.planning.Plan plan, List<DecisiveTests.Wanted> tests) {}

  /**
   * The best plan.
   *
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned plan(PlanRequest request) {
    return plan(request, false, null, false);
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
    return plan(request, true, null, guarded);
  }

  /**
   * The best plan whose cascades all begin at one relay.
   *
   * @param request has it for a source
   * @param guarded as of {@link #planToOpen}
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned planFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(request, false, ingress, guarded);
  }

  /**
   * The best plan to open something by, see {@link #planToOpen}, whose cascades all begin at one
   * relay.
   *
   * @throws Refusal where the request contradicts itself or names what is not there
   */
  public Planned planToOpenFrom(String ingress, PlanRequest request, boolean guarded) {
    return plan(request, true, ingress, guarded);
  }

  /**
   * Plans, has tests run where they are due, and waits for those that may decide as long as the
   * request says.
   */
  private Planned plan(
      PlanRequest request, boolean toOpen, @Nullable String ingress, boolean guarded) {
    if (!thorough(request)) {
      return attempt(request, toOpen, ingress, guarded).planned();
    }
    long until = tests.until(request.measureSeconds());
    Attempt attempt = attempt(request, toOpen, ingress, guarded);
    for (int round = 0;
        round < MOST_ROUNDS && tests.run(attempt.plan(), attempt.tests(), until);
        round++) {
      attempt = attempt(request, toOpen, ingress, guarded);
    }
    return attempt.planned();
  }

  /** Whether there is time to measure for the plan. */
  private static boolean thorough(PlanRequest request) {
    return request.measureSeconds() == null || request.measureSeconds() > 0;
  }

  private Attempt attempt(
      PlanRequest request, boolean toOpen, @Nullable String ingress, boolean guarded) {
    HostPort destination = Destinations.parse(request.destination());
    List<String> via = Objects.requireNonNullElse(request.via(), List.of());
    Set<String> avoid = new HashSet<>(Objects.requireNonNullElse(request.avoid(), List.of()));
    check(request.destination(), via, avoid);
    List<String> notes = new ArrayList<>(PlanQuestion.notes(request));
    Map<String, RegisteredRelay> candidates = candidates(via, avoid, notes);
    Optional<RegisteredRelay> site = site(request.source());

    Map<String, RegisteredRelay> probing = new LinkedHashMap<>();
    if (via.isEmpty()) {
      probing.putAll(candidates);
    } else {
      String egress = via.getLast();
      probing.put(egress, relays.known(egress));
    }
    site.ifPresent(relay -> probing.put(relay.name(), relay));
    Map<String, DestinationProbes.Outcome> outcomes =
        probes.probe(
            probing.values().stream().filter(relay -> !relay.isLost()).toList(),
            destination,
            guarded,
            thorough(request));

    RelayControls controls = RelayControls.of(request, candidates, notes);
    CongestionControl direct = directControl(request.source(), site, notes);
    MeasuredNetwork network = new MeasuredNetwork(request.capacityBitsPerSecond());
    for (MeasuredLink link : links.all()) {
      if (candidates.containsKey(link.from()) && candidates.containsKey(link.to())) {
        add(network, link.from(), link.to(), link);
        network.promised(link.from(), link.to(), promised.of(link.from(), link.to()));
      }
    }
    candidates.values().forEach(relay -> network.terms(relay.name(), terms(relay)));
    List<String> obstacles = new ArrayList<>();
    List<String> unmeasured = new ArrayList<>();
    outcomes.forEach((relay, outcome) -> {
      if (outcome.busy()) {
        unmeasured.add(relay);
      } else if (outcome.failure() != null) {
        obstacles.add(relay + ": " + outcome.failure());
      } else if (candidates.containsKey(relay)) {
        network.link(
            relay, DESTINATION, lastLeg(relay, destination, outcome, capacity(candidates, relay)));
      }
    });
    addSite(network, site, ingress, outcomes, destination, candidates, notes);
    Optional<String> there = relayAt(destination);
    there.ifPresent(relay -> addLastHops(network, relay, candidates, site, notes));
    boolean knownSource = addObservations(network, request.source(), site, candidates, notes);

    HopBuffers buffers = new HopBuffers(candidates);
    network.buffers(buffers);

    io.cascade.model.planning.PlanRequest.Builder builder =
        PlanQuestion.between(SOURCE, DESTINATION, request)
            .congestionControl(direct, CongestionControl.CUBIC);
    builder.senderControl(SOURCE, direct);
    controls.addTo(builder);
    if (neverReached(request.source())) {
      builder.noDirectPath();
      notes.add("The source does not reach the destination without relays.");
    }
    io.cascade.model.planning.PlanRequest question = built(builder);
    Topology topology = network.topology();
    io.cascade.model.planning.Plan plan = model.plan(topology, question);

    if (candidates.isEmpty()) {
      notes.add(
          relays.all().isEmpty()
              ? "No relay has registered: " + RelayRegistry.START_ONE + "."
              : "No relay is up that may be used.");
    }
    if (!obstacles.isEmpty()) {
      notes.add("The destination was not reached from " + String.join("; from ", obstacles) + ".");
    }
    if (!unmeasured.isEmpty()) {
      notes.add(
          "The way to the destination is unmeasured, for too many probes were under way there: "
              + String.join(", ", unmeasured)
              + ".");
    }
    Optional<Candidate> explored =
        toOpen && via.isEmpty() ? exploration.instead(plan) : Optional.empty();
    explored.ifPresent(other ->
        notes.add(
            String.format(
                Locale.ROOT,
                "Explored: the chain goes %s, which may be as good as the best, to learn how good it"
                    + " is; %.3g %% of decisions do so.",
                other.label(),
                100 * exploration.share())));
    Optional<Candidate> way = explored.or(plan::bestCascade);
    way.ifPresent(chosen -> notes.addAll(buffers.heldBack(chosen, request.bytes())));
    Plan document =
        new PlanDocument(topology, network::isAssumed)
            .of(
                plan,
                destination.toString(),
                request.bytes(),
                notes,
                time.now(),
                network.measuredAt(plan).map(this::ageSeconds).orElse(null));
    int paths = PlanQuestion.paths(request);
    if (paths > 1) {
      document =
          MultipathDocument.with(
              document,
              paths,
              knownSource
                  ? new MultipathPlanner().plan(topology, question, paths)
                  : Optional.empty());
    }
    Map<String, String> standIns = new HashMap<>();
    site.ifPresent(relay -> standIns.put(SOURCE, relay.name()));
    there.ifPresent(relay -> standIns.put(DESTINATION, relay));
    Planned planned =
        new Planned(
            document,
            way.map(chosen -> chosen.route().relays()).orElse(List.of()),
            pays(plan, via),
            obstacles,
            notAllowed(outcomes.values()));
    return new Attempt(planned, plan, tests.of(plan, standIns, controls));
  }

  /** A link between relays, under the names that the plan has for its ends. */
  private void add(MeasuredNetwork network, String from, String to, MeasuredLink link) {
    network.link(from, to, link);
    for (CongestionControl control : CongestionControl.values()) {
      Learned lesson = learned(link, control);
      if (lesson.outcomes() > 0) {
        network.learned(from, to, control, lesson);
      }
    }
  }

  private MeasuredLink lastLeg(
      String relay,
      HostPort destination,
      DestinationProbes.Outcome outcome,
      @Nullable Long capacity) {
    return MeasuredLink.ofAttempts(
        relay,
        DESTINATION,
        outcome.counts(),
        transfers.of(relay, destination),
        capacity,
        time.steady());
  }

  private static boolean notAllowed(Collection<DestinationProbes.Outcome> outcomes) {
    List<DestinationProbes.Outcome> failed =
        outcomes.stream().filter(outcome -> outcome.failure() != null).toList();
    return !failed.isEmpty() && failed.stream().allMatch(DestinationProbes.Outcome::notAllowed);
  }

  private Learned learned(MeasuredLink link, CongestionControl control) {
    CorrectionBook.Known known =
        corrections.of(
            new CorrectionBook.Link(
                link.from(), link.to(), control.name().toLowerCase(Locale.ROOT)));
    return new Learned(
        known.factor(),
        known.correction().outcomes(),
        known.correction().evidenceAt(time.steady()));
  }

  private RelayTerms terms(RegisteredRelay relay) {
    RelayRegistration said = relay.registration();
    RelayTerms terms =
        RelayTerms.FREE
            .at(said.site())
            .withPrices(0, Objects.requireNonNullElse(said.pricePerGib(), 0.0));
    Long capacity = said.capacityBitsPerSecond();
    return capacity == null
        ? terms
        : terms.withFree(Math.max(0, capacity - promised.of(relay.name())));
  }

  private static io.cascade.model.planning.PlanRequest built(
      io.cascade.model.planning.PlanRequest.Builder question) {
    try {
      return question.build();
    } catch (IllegalArgumentException e) {
      throw new Refusal(ProblemKind.INVALID_REQUEST, String.valueOf(e.getMessage()));
    }
  }

  private static boolean pays(io.cascade.model.planning.Plan plan, List<String> via) {
    return via.isEmpty()
        ? plan.decision() == Decision.CASCADE
        // The model does not doubt relays that were required; here the question is whether to.
        : plan.gain().filter(gain -> gain.low() > 1).isPresent();
  }

  private double ageSeconds(Instant then) {
    return Math.max(0, Duration.between(then, time.steady()).toNanos() / 1e9);
  }

  /**
   * What is wrong with a request whatever was measured.
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

  private Map<String, RegisteredRelay> candidates(
      List<String> via, Set<String> avoid, List<String> notes) {
    Map<String, RegisteredRelay> candidates = new LinkedHashMap<>();
    if (!via.isEmpty()) {
      for (String name : via) {
        RegisteredRelay relay = relays.known(name);
        candidates.put(name, relay);
        if (!relay.isUp()) {
          notes.add(name + " is " + relay.status() + ".");
        }
      }
      return candidates;
    }
    for (RegisteredRelay relay : relays.all()) {
      if (relay.isUp() && !avoid.contains(relay.name())) {
        if (candidates.size() == MOST_CANDIDATES) {
          notes.add("Only the first " + MOST_CANDIDATES + " relays by name were considered.");
          break;
        }
        candidates.put(relay.name(), relay);
      }
    }
    return candidates;
  }

  private Optional<RegisteredRelay> site(@Nullable Source source) {
    return source == null || source.relay() == null
        ? Optional.empty()
        : Optional.of(relays.known(source.relay()));
  }

  /**
   * The one relay on the destination's own host. The links to it have seen thousands of packets on
   * the very paths that a few connections have just tried.
   */
  private Optional<String> relayAt(HostPort destination) {
    List<String> there =
        relays.all().stream()
            .filter(relay -> relay.hop().host().equalsIgnoreCase(destination.host()))
            .map(RegisteredRelay::name)
            .toList();
    // Several on one host: on which link would the path be?
    return there.size() == 1 ? Optional.of(there.getFirst()) : Optional.empty();
  }

  private void addLastHops(
      MeasuredNetwork network,
      String there,
      Map<String, RegisteredRelay> candidates,
      Optional<RegisteredRelay> site,
      List<String> notes) {
    boolean used = false;
    for (MeasuredLink link : links.all()) {
      if (!link.to().equals(there) || link.counts().sent() == 0) {
        continue;
      }
      if (candidates.containsKey(link.from())
          && network.link(link.from(), DESTINATION).isPresent()) {
        add(network, link.from(), DESTINATION, link);
        used = true;
      }
      if (site.filter(relay -> relay.name().equals(link.from())).isPresent()
          && network.link(SOURCE, DESTINATION).isPresent()) {
        add(network, SOURCE, DESTINATION, link);
        used = true;
      }
    }
    if (used) {
      notes.add(
          "The destination is " + there + "'s host: the links to it stand for the way there.");
    }
  }

  private void addSite(
      MeasuredNetwork network,
      Optional<RegisteredRelay> site,
      @Nullable String ingress,
      Map<String, DestinationProbes.Outcome> outcomes,
      HostPort destination,
      Map<String, RegisteredRelay> candidates,
      List<String> notes) {
    site.ifPresent(relay -> {
      DestinationProbes.Outcome direct = outcomes.get(relay.name());
      if (direct != null) {
        Long capacity = relay.registration().capacityBitsPerSecond();
        network.link(SOURCE, DESTINATION, lastLeg(relay.name(), destination, direct, capacity));
      }
      for (MeasuredLink link : links.all()) {
        boolean first = ingress == null || link.to().equals(ingress);
        if (first && link.from().equals(relay.name()) && candidates.containsKey(link.to())) {
          add(network, SOURCE, link.to(), link);
        }
      }
      if (candidates.containsKey(relay.name())) {
        network.beside(SOURCE, relay.name());
      }
      notes.add("The source is taken to stand beside " + relay.name() + ".");
    });
  }

  /**
   * What the source measured itself is better than what stands for it.
   *
   * @return whether anything is known of the source
   */
  private boolean addObservations(
      MeasuredNetwork network,
      @Nullable Source source,
      Optional<RegisteredRelay> site,
      Map<String, RegisteredRelay> candidates,
      List<String> notes) {
    List<Observation> observations =
        source == null || source.observations() == null ? List.of() : source.observations();
    List<String> unknown = new ArrayList<>();
    for (Observation observation : observations) {
      check(observation);
      boolean usable = candidates.containsKey(observation.to());
      if (!usable
          && !observation.to().equals(DESTINATION)
          && relays.find(observation.to()).isEmpty()) {
        unknown.add(observation.to());
      }
      Double rtt = observation.rttMillis();
      if ((usable || observation.to().equals(DESTINATION))
          && rtt != null
          && observation.sent() > 0) {
        network.link(
            SOURCE,
            observation.to(),
            observed(observation, rtt, capacity(candidates, observation.to())));
      }
    }
    if (!unknown.isEmpty()) {
      notes.add("Observed, but not relays here: " + String.join(", ", unknown) + ".");
    }
    if (site.isEmpty() && observations.isEmpty()) {
      candidates.keySet().forEach(relay -> network.beside(SOURCE, relay));
      notes.add(
          "No source was given: the direct path is unknown, and the source is taken to stand"
              + " beside the ingress relay.");
      return false;
    }
    return true;
  }

  private MeasuredLink observed(
      Observation observation, double rttMillis, @Nullable Long capacity) {
    Instant now = time.steady();
    Double delivered = observation.deliveredBitsPerSecond();
    return MeasuredLink.ofAttempts(
        SOURCE,
        observation.to(),
        new LinkWindow.Counts(
            observation.sent(), observation.lost(), rttMillis, rttMillis, null, now),
        delivered == null ? Transfers.NONE : Transfers.atLeast(delivered, now),
        capacity,
        now);
  }

  /** Not one of a source's own connections to the destination was answered. */
  private static boolean neverReached(@Nullable Source source) {
    return source != null
        && source.observations() != null
        && source.observations().stream()
            .anyMatch(one ->
                one.to().equals(DESTINATION)
                    && one.sent() >= ENOUGH_TO_GIVE_UP
                    && one.lost().equals(one.sent()));
  }

  private static void check(@Nullable Observation observation) {
    if (observation == null
        || observation.to() == null
        || observation.sent() == null
        || observation.lost() == null) {
      throw invalid("each needs to, sent and lost");
    }
    Double rtt = observation.rttMillis();
    if (observation.lost() < 0
        || observation.lost() > observation.sent()
        || (rtt != null && !(rtt > 0 && rtt < 3_600_000))) {
      throw invalid(
          observation.to()
              + ": lost "
              + observation.lost()
              + " of "
              + observation.sent()
              + ", round trip "
              + rtt
              + " ms (expected: 0 <= lost <= sent, a round trip > 0)");
    }
  }

  private static Refusal invalid(String detail) {
    return new Refusal(ProblemKind.INVALID_REQUEST, "source.observations: " + detail);
  }

  private static @Nullable Long capacity(Map<String, RegisteredRelay> candidates, String relay) {
    RegisteredRelay known = candidates.get(relay);
    return known == null ? null : known.registration().capacityBitsPerSecond();
  }

  private static CongestionControl directControl(
      @Nullable Source source, Optional<RegisteredRelay> site, List<String> notes) {
    String said = source == null ? null : source.congestionControl();
    if (said == null) {
      said = site.map(relay -> relay.registration().congestionControl()).orElse(null);
    }
    return said == null ? CongestionControl.CUBIC : RelayControls.named(said, notes);
  }
}
