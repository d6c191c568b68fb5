package io.cascade.orchestrator.relays;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.relay.Limits;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import java.time.Duration;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** Shows and changes the limits of running relays. They are stored by the relays only. */
@Component
class RelayLimiting {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RelayRegistry registry;
  private final RelayControls controls;

  RelayLimiting(RelayRegistry registry, RelayControls controls) {
    this.registry = registry;
    this.controls = controls;
  }

  RelayLimits show(String relay) {
    return ask(relay, client -> client.limits(TIMEOUT));
  }

  RelayLimits change(String relay, RelayLimits wanted) {
    Limits limits =
        new Limits(
            wanted.maxStreams(), wanted.memoryBytes(), wanted.streamBytes(), wanted.drainSeconds());
    return ask(relay, client -> client.change(limits, TIMEOUT));
  }

  private RelayLimits ask(String relay, Function<RelayControlClient, Limits> question) {
    RegisteredRelay known = registry.known(relay);
    Limits answer;
    try {
      answer = question.apply(controls.of(known));
    } catch (UnreachableException e) {
      throw new Refusal(ProblemKind.RELAY_UNREACHABLE, relay + ": " + e.getMessage());
    } catch (ProblemException e) {
      throw new Refusal(ProblemKind.ofRelay(e.type()), relay + ": " + e.getMessage());
    }
    RelayLimits limits =
        new RelayLimits(
            answer.maxStreams(), answer.memoryBytes(), answer.streamBytes(), answer.drainSeconds());
    registry.limited(relay, limits);
    return limits;
  }
}
