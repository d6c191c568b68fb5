package io.cascade.orchestrator.chains;

import static java.util.stream.Collectors.toMap;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.RelaySetup;
import io.cascade.api.orchestrator.SetupMode;
import io.cascade.api.orchestrator.SetupReport;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.SetupTimings;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.ControlRoundTrips;
import io.cascade.orchestrator.relays.RegisteredRelay;
import io.cascade.orchestrator.relays.RelayControls;
import io.cascade.orchestrator.relays.RelayRegistry;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/**
 * Installs parts on relays and measures how long that takes.
 *
 * <p>In parallel by default, so that the set-up takes as long as the most distant relay and not the
 * sum of all; sequentially, egress first, for comparison.
 */
@Component
class ChainSetup {
  /** Time for a relay's onward connections to come up; the relay answers after that. */
  private static final int CONNECT_SECONDS = 10;

  private static final Duration SLACK = Duration.ofSeconds(5);
  private static final double PREDICTED_ROUND_TRIPS = 1.5;

  private static final String NO_SOURCES =
      "its version does not know allowSources and would accept streams from every address; fix:"
          + " update it, or start the chain at another relay";

  private final RelayRegistry relays;
  private final RelayControls controls;
  private final ControlRoundTrips roundTrips;
  private final RelayCalls calls;
  private final ChainRemoval removal;
  private final ApplicationEventPublisher facts;
  private final Timekeeper time;

  ChainSetup(
      RelayRegistry relays,
      RelayControls controls,
      ControlRoundTrips roundTrips,
      RelayCalls calls,
      ChainRemoval removal,
      ApplicationEventPublisher facts,
      Timekeeper time) {
    this.relays = relays;
    this.controls = controls;
    this.roundTrips = roundTrips;
    this.calls = calls;
    this.removal = removal;
    this.facts = facts;
    this.time = time;
  }

  /**
   * A relay that did not install its part.
   *
   * @param next the relay that it could not reach; null if the failure is not of that kind
   */
  record Failure(String relay, ProblemKind kind, String words, @Nullable String next) {
    /**
     * The relay to avoid in the next attempt: the next relay if that was not reached, else this
     * one.
     */
    String blamed() {
      return kind == ProblemKind.NEXT_RELAY_UNREACHABLE && next != null ? next : relay;
    }
  }

  /**
   * Outcome of a set-up.
   *
   * @param contacted relays that may hold a part now
   * @param ingress where applications connect; null unless the ingress relay installed its part
   */
  record Outcome(
      SetupReport report,
      List<String> contacted,
      List<Failure> failures,
      @Nullable Endpoint ingress) {

    boolean complete() {
      return failures.isEmpty();
    }

    /**
     * The first relay that failed for its own reasons; if there is none, the first that did not
     * reach its next relay.
     */
    Failure culprit() {
      return failures.stream()
          .filter(failure -> failure.kind() != ProblemKind.NEXT_RELAY_UNREACHABLE)
          .findFirst()
          .orElseGet(failures::getFirst);
    }
  }

  private record PutResult(
      RelaySetup setup, @Nullable InstalledPart part, @Nullable Failure failure) {
    boolean isRefusal() {
      return failure != null && failure.kind() != ProblemKind.NEXT_RELAY_UNREACHABLE;
    }
  }

  /**
   * Installs the parts of all relays of a chain that carries no streams yet. If one relay refuses,
   * the others stop waiting for it.
   */
  Outcome install(Chain chain, Installation installation, SetupMode mode, int attempt) {
    List<String> all = installation.route().relays();
    Runnable ifRefused =
        all.size() == 1
            ? () -> {}
            : () -> removal.remove(chain.id(), all, true, installation.revision());
    Outcome outcome = install(chain, installation, all, mode, attempt, ifRefused);
    facts.publishEvent(new ChainFact.SetUp(chain.id(), outcome.report(), outcome.complete()));
    return outcome;
  }

  /**
   * Installs the parts of some relays.
   *
   * @param some in the route's order
   */
  Outcome install(
      Chain chain, Installation installation, List<String> some, SetupMode mode, int attempt) {
    return install(chain, installation, some, mode, attempt, () -> {});
  }

  /**
   * @param ifRefused run at once if a relay refuses its part for its own reasons, so that the
   *     others stop waiting for it
   */
  private Outcome install(
      Chain chain,
      Installation installation,
      List<String> some,
      SetupMode mode,
      int attempt,
      Runnable ifRefused) {
    RouteHops route = installation.route();
    Map<String, RegisteredRelay> members =
        route.relays().stream().map(relays::known).collect(toMap(RegisteredRelay::name, it -> it));
    List<PutResult> answers = new ArrayList<>();
    long start = time.mark();
    if (mode == SetupMode.PARALLEL) {
      answers.addAll(
          calls
              .atOnce(
                  some,
                  relay -> {
                    PutResult answer = put(chain, installation, members, relay, start);
                    if (answer.isRefusal()) {
                      ifRefused.run();
                    }
                    return answer;
                  },
                  (relay, e) ->
                      result(
                          relay,
                          0,
                          time.millisSince(start),
                          null,
                          new Failure(relay, ProblemKind.INTERNAL, e.toString(), null)))
              .values());
    } else {
      for (String relay : some.reversed()) {
        PutResult answer = put(chain, installation, members, relay, start);
        answers.addFirst(answer);
        if (answer.failure() != null) {
          break;
        }
      }
    }
    double elapsed = time.millisSince(start);
    RegisteredRelay first = Objects.requireNonNull(members.get(route.firstRelay()));
    return outcome(answers, first, mode, attempt, elapsed);
  }

  private PutResult put(
      Chain chain,
      Installation installation,
      Map<String, RegisteredRelay> members,
      String name,
      long start) {
    RegisteredRelay relay = Objects.requireNonNull(members.get(name));
    double startedAfter = time.millisSince(start);
    long asked = time.mark();
    InstalledPart part = null;
    Failure failure = null;
    String next = next(installation.route(), name);
    try {
      ChainPart wanted = new PartCutter(chain, installation, members).of(relay);
      part = controls.of(relay).install(chain.id(), wanted, timeout(chain.request().options()));
      if (AllowedSources.areMissing(wanted, part)) {
        // Streams that were accepted meanwhile may come from any address, so they are reset.
        List<String> _ = removal.remove(chain.id(), List.of(name), true, installation.revision());
        failure = new Failure(name, ProblemKind.UNSUPPORTED, NO_SOURCES, next);
        part = null;
      }
    } catch (ProblemException e) {
      failure = new Failure(relay.name(), ProblemKind.ofRelay(e.type()), words(e), next);
    } catch (Refusal e) {
      failure = new Failure(relay.name(), e.kind(), words(e), next);
    } catch (UnreachableException e) {
      failure = new Failure(relay.name(), ProblemKind.RELAY_UNREACHABLE, words(e), next);
    }
    return result(name, startedAfter, time.millisSince(asked), part, failure);
  }

  private PutResult result(
      String relay,
      double startedAfter,
      double elapsed,
      @Nullable InstalledPart part,
      @Nullable Failure failure) {
    OptionalDouble rtt = roundTrips.smoothedMillis(relay);
    SetupTimings timings = part == null ? null : part.timings();
    return new PutResult(
        RelaySetup.builder()
            .relay(relay)
            .startedAfterMillis(startedAfter)
            .elapsedMillis(elapsed)
            .controlRttMillis(rtt.isPresent() ? rtt.getAsDouble() : null)
            .predictedMillis(rtt.isPresent() ? PREDICTED_ROUND_TRIPS * rtt.getAsDouble() : null)
            .resolveMillis(timings == null ? null : timings.resolveMillis())
            .listenMillis(timings == null ? null : timings.listenMillis())
            .warmMillis(timings == null ? null : timings.warmMillis())
            .relayMillis(timings == null ? null : timings.totalMillis())
            .failure(failure == null ? null : failure.words())
            .build(),
        part,
        failure);
  }

  private static @Nullable String next(RouteHops route, String relay) {
    List<RouteHop> onward = route.outOf(relay).stream().filter(RouteHop::joinsRelays).toList();
    return onward.size() == 1 ? onward.getFirst().to() : null;
  }

  private static Duration timeout(@Nullable ChainOptions options) {
    Integer connect = options == null ? null : options.connectTimeoutSeconds();
    return Duration.ofSeconds(Objects.requireNonNullElse(connect, CONNECT_SECONDS)).plus(SLACK);
  }

  private static String words(RuntimeException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static Outcome outcome(
      List<PutResult> answers, RegisteredRelay first, SetupMode mode, int attempt, double elapsed) {
    List<RelaySetup> setups = answers.stream().map(PutResult::setup).toList();
    List<Failure> failures =
        answers.stream().map(PutResult::failure).filter(Objects::nonNull).toList();
    Endpoint ingress = null;
    for (PutResult answer : answers) {
      InstalledPart part = answer.part();
      if (part != null && answer.setup().relay().equals(first.name())) {
        ingress = ingress(part, first);
      }
    }
    return new Outcome(
        SetupReport.builder()
            .mode(mode)
            .attempt(attempt)
            .elapsedMillis(elapsed)
            .predictedMillis(predicted(setups, mode))
            .sequentialMillis(setups.stream().mapToDouble(RelaySetup::elapsedMillis).sum())
            .relays(setups)
            .build(),
        setups.stream().map(RelaySetup::relay).toList(),
        failures,
        ingress);
  }

  private static @Nullable Double predicted(List<RelaySetup> setups, SetupMode mode) {
    double all = 0;
    for (RelaySetup setup : setups) {
      Double one = setup.predictedMillis();
      if (one == null) {
        return null;
      }
      all = mode == SetupMode.PARALLEL ? Math.max(all, one) : all + one;
    }
    return all;
  }

  /**
   * The ingress endpoint. A relay that listens on the wildcard address cannot report one that
   * others can use, so its hop address is taken.
   */
  private static @Nullable Endpoint ingress(InstalledPart part, RegisteredRelay relay) {
    Integer port = part.ingressPort();
    if (port == null) {
      return null;
    }
    String host = part.ingressHost();
    boolean usable =
        host != null && !host.isBlank() && !host.equals("0.0.0.0") && !host.matches("[0:]+");
    return new Endpoint(host != null && usable ? host : relay.hop().host(), port);
  }

  /** A relay's failure as the refusal of the whole chain. */
  static Refusal refusal(Failure failure) {
    return new Refusal(failure.kind(), failure.relay() + ": " + failure.words());
  }
}
