package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.RateSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarriedBytesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final CarriedBytes carried = new CarriedBytes();

  @Test
  void whatFallsIntoOneSpanIsItsMeanRate() {
    carried.add(NOW.plusSeconds(2), NOW.plusSeconds(4), 1_000, 500);
    carried.add(NOW.plusSeconds(4), NOW.plusSeconds(10), 4_000, 0);

    assertThat(carried.before(NOW.plusSeconds(10)))
        .containsExactly(new RateSpan(NOW, 8 * 5_000 / 10.0, 8 * 500 / 10.0));
  }

  @Test
  void whatReachesOverSeveralSpansIsSharedOutByTime() {
    carried.add(NOW.plusSeconds(5), NOW.plusSeconds(25), 20_000, 0);

    assertThat(carried.before(NOW.plusSeconds(30)))
        .extracting(RateSpan::forwardBitsPerSecond)
        .containsExactly(4_000.0, 8_000.0, 4_000.0);
  }

  @Test
  void nothingIsLostOrAddedHoweverIrregularlySomebodyLooks() {
    Instant from = NOW;
    long all = 0;
    for (int look = 1; look <= 40; look++) {
      Instant to = from.plusMillis(137L * look);
      carried.add(from, to, 1_000L * look, 0);
      all += 1_000L * look;
      from = to;
    }

    double sum =
        carried.before(from.plus(CarriedBytes.SPAN)).stream()
            .mapToDouble(span -> span.forwardBitsPerSecond() * 10 / 8)
            .sum();
    assertThat(sum).isCloseTo((double) all, within(1e-3));
  }

  @Test
  void anIdleChainHasSpansOfNothingAndOneThatWasNotHeardHasNone() {
    carried.add(NOW, NOW.plusSeconds(10), 0, 0);
    carried.add(NOW.plusSeconds(40), NOW.plusSeconds(50), 1_000, 0);

    assertThat(carried.before(NOW.plusSeconds(50)))
        .containsExactly(
            new RateSpan(NOW, 0.0, 0.0), new RateSpan(NOW.plusSeconds(40), 800.0, 0.0));
  }

  @Test
  void aSpanThatIsNotOverIsNotShown() {
    carried.add(NOW, NOW.plusSeconds(15), 1_500, 0);

    assertThat(carried.before(NOW.plusSeconds(19))).hasSize(1);
    assertThat(carried.before(NOW.plusSeconds(20))).hasSize(2);
  }

  @Test
  void anHourIsKept() {
    carried.add(NOW, NOW.plusSeconds(10), 1_000, 0);
    Instant later = NOW.plus(Duration.ofHours(2));
    carried.add(later, later.plusSeconds(10), 1_000, 0);

    List<RateSpan> spans = carried.before(later.plusSeconds(10));

    assertThat(spans).extracting(RateSpan::start).containsExactly(later);
  }

  @Test
  void whatTookNoTimeIsNotCounted() {
    carried.add(NOW, NOW, 1_000, 0);
    carried.add(NOW.plusSeconds(1), NOW, 1_000, 0);

    assertThat(carried.before(NOW.plusSeconds(60))).isEmpty();
  }
}
