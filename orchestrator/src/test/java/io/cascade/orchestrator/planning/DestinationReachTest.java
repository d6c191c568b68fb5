package io.cascade.orchestrator.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.orchestrator.links.LinkWindow;
import io.cascade.orchestrator.planning.DestinationProbes.Obstacle;
import io.cascade.orchestrator.planning.DestinationProbes.Outcome;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DestinationReachTest {
  private final Map<String, Outcome> outcomes = new LinkedHashMap<>();

  @Test
  void nobodyWasAsked() {
    DestinationReach reach = reach();

    assertThat(reach.reached()).isEmpty();
    assertThat(reach.obstacles()).isEmpty();
    assertThat(reach.notAllowed()).isFalse();
    assertThat(reach.notes()).isEmpty();
    assertThat(reach.of("r1")).isNull();
  }

  @Test
  void relaysReachTheDestinationOrSayWhyNotOrWereTooBusy() {
    outcomes.put("r1", outcome(null, Obstacle.NONE));
    outcomes.put("r2", outcome("connection refused", Obstacle.NONE));
    outcomes.put("r3", outcome("too many probes", Obstacle.BUSY));
    outcomes.put("r4", outcome("timed out", Obstacle.NONE));

    DestinationReach reach = reach();

    assertThat(reach.reached()).containsExactly("r1");
    assertThat(reach.obstacles()).containsExactly("r2: connection refused", "r4: timed out");
    assertThat(reach.notes())
        .containsExactly(
            "The destination was not reached from r2: connection refused; from r4: timed out.",
            "The way to the destination is unmeasured, because too many probes were under way"
                + " there: r3.");
    assertThat(reach.untried()).containsExactly("r3");
    assertThat(reach.of("r1")).isEqualTo(outcomes.get("r1"));
  }

  @Test
  void notAllowedMeansThatAllWhichFailedMayNotConnect() {
    outcomes.put("r1", outcome(null, Obstacle.NONE));
    assertThat(reach().notAllowed()).isFalse();

    outcomes.put("r2", outcome("not allowed", Obstacle.NOT_ALLOWED));
    assertThat(reach().notAllowed()).isTrue();

    outcomes.put("r3", outcome("connection refused", Obstacle.NONE));
    assertThat(reach().notAllowed()).isFalse();
  }

  private DestinationReach reach() {
    return new DestinationReach(outcomes);
  }

  private static Outcome outcome(@Nullable String failure, Obstacle obstacle) {
    return new Outcome(
        new LinkWindow.Counts(failure == null ? 5 : 0, 0, 1.0, 1.0, null, Instant.EPOCH),
        failure,
        obstacle);
  }
}
