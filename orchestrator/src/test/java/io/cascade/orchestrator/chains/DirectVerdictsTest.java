package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DirectVerdictsTest {
  private final DirectVerdicts<String> verdicts = new DirectVerdicts<>(Duration.ofMinutes(10));

  @Test
  void aVerdictThatIsConfirmedIsValidTwiceAsLongUpToTheLongest() {
    assertThat(Stream.generate(() -> verdicts.confirmed("edge")).limit(7).map(Duration::toSeconds))
        .containsExactly(30L, 60L, 120L, 240L, 480L, 600L, 600L);
  }

  @Test
  void afterAnotherVerdictTheNextOneIsAFirstOne() {
    verdicts.confirmed("edge");
    verdicts.confirmed("edge");

    verdicts.revoked("edge");

    assertThat(verdicts.confirmed("edge")).isEqualTo(DirectVerdicts.FIRST);
  }

  @Test
  void eachWayHasAValidityOfItsOwn() {
    verdicts.confirmed("edge");
    verdicts.confirmed("edge");

    assertThat(verdicts.confirmed("far")).isEqualTo(DirectVerdicts.FIRST);
  }

  @Test
  void theWayThatWasAskedForLeastRecentlyIsForgotten() {
    verdicts.confirmed("edge");
    for (int i = 0; i < DirectVerdicts.MOST_WAYS; i++) {
      verdicts.confirmed("way " + i);
    }

    assertThat(verdicts.confirmed("edge")).isEqualTo(DirectVerdicts.FIRST);
  }
}
