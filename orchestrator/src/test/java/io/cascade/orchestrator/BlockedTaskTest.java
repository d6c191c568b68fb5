package io.cascade.orchestrator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.orchestrator.time.ManualTime;
import io.cascade.orchestrator.time.TaskWatch;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An orchestrator one of whose tasks stands still is not healthy, though it answers. */
class BlockedTaskTest {
  private static final String HEALTH = "/api/v1/health";

  @Test
  void itsHealthNamesTheTaskUntilThatGoesOn(@TempDir Path state) {
    ManualTime time = ManualTime.running();
    try (Rig rig = Rig.start(state, settings -> settings.withClocks(time.clock(), time.nanos()))) {
      Runnable round =
          rig.orchestrator().bean(TaskWatch.class).endOfRound("blocked", Duration.ofSeconds(1));
      assertThat(rig.call("GET", HEALTH, null).status()).isEqualTo(200);

      time.pass(Duration.ofMinutes(2));

      // The others have ended a round since.
      await()
          .until(() -> {
            Rig.Response answer = rig.call("GET", HEALTH, null);
            return answer.status() == 503 && answer.body().contains("the task blocked has not");
          });
      assertThat(rig.call("GET", HEALTH, null).problem().type())
          .isEqualTo("urn:cascade:problem:blocked");
      round.run();
      await().until(() -> rig.call("GET", HEALTH, null).status() == 200);
    }
  }
}
