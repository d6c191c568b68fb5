package io.cascade.orchestrator.chains;

import static io.cascade.api.orchestrator.ChainState.CLOSED;
import static io.cascade.api.orchestrator.ChainState.CLOSING;
import static io.cascade.api.orchestrator.ChainState.DEGRADED;
import static io.cascade.api.orchestrator.ChainState.FAILED;
import static io.cascade.api.orchestrator.ChainState.INSTALLING;
import static io.cascade.api.orchestrator.ChainState.PLANNING;
import static io.cascade.api.orchestrator.ChainState.READY;
import static io.cascade.api.orchestrator.ChainState.ROLLING_BACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.ChainState;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@NullUnmarked
class ChainLifecycleTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  /** All that is legal; whatever is not here is not. */
  private static final Map<ChainState, Map<ChainEvent, ChainState>> LEGAL =
      Map.of(
          PLANNING, Map.of(ChainEvent.PLANNED, INSTALLING, ChainEvent.UNPLANNABLE, FAILED),
          INSTALLING, Map.of(ChainEvent.INSTALLED, READY, ChainEvent.REFUSED, ROLLING_BACK),
          ROLLING_BACK, Map.of(ChainEvent.PLANNED_AGAIN, PLANNING, ChainEvent.GIVEN_UP, FAILED),
          READY, Map.of(ChainEvent.TROUBLED, DEGRADED, ChainEvent.CLOSE, CLOSING),
          DEGRADED,
              Map.of(
                  ChainEvent.TROUBLED,
                  DEGRADED,
                  ChainEvent.REPAIRED,
                  READY,
                  ChainEvent.CLOSE,
                  CLOSING),
          CLOSING, Map.of(ChainEvent.CLOSED, CLOSED),
          CLOSED, Map.of(),
          FAILED, Map.of());

  static Stream<Arguments> pairs() {
    return Arrays.stream(ChainState.values())
        .flatMap(
            state -> Arrays.stream(ChainEvent.values()).map(event -> Arguments.of(state, event)));
  }

  @ParameterizedTest
  @MethodSource("pairs")
  void everyPairOfStateAndEventIsDecided(ChainState state, ChainEvent event) {
    ChainState expected = LEGAL.get(state).get(event);
    Chain chain =
        new Chain(UUID.randomUUID(), request(), null, state, null, null, null, null, NOW, NOW);
    if (expected == null) {
      assertThatIllegalStateException()
          .isThrownBy(() -> chain.after(event, null, NOW))
          .withMessageContaining(event + " when " + state);
      assertThat(chain.state()).isEqualTo(state);
    } else {
      chain.stand(chain.after(event, "why", NOW.plusSeconds(1)));
      assertThat(chain.state()).isEqualTo(expected);
      assertThat(chain.reason()).isEqualTo("why");
      assertThat(chain.updatedAt()).isEqualTo(NOW.plusSeconds(1));
    }
  }

  @Test
  void everyStateLeadsToAnEnd() {
    for (ChainState state : ChainState.values()) {
      assertThat(LEGAL.get(state).isEmpty()).isEqualTo(ChainLifecycle.ended(state));
    }
  }

  private static ChainRequest request() {
    return ChainRequest.builder().destination("host:1").build();
  }
}
