package io.cascade.orchestrator.chains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.orchestrator.chains.CarriedBytes.Carried;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarriedBytesTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final CarriedBytes carried = new CarriedBytes(RateResolution.HOUR);

  @Test
  void whatFallsIntoOneSpanIsItsSum() {
    carried.add(NOW.plusSeconds(2), NOW.plusSeconds(4), 1_000, 500);
    carried.add(NOW.plusSeconds(4), NOW.plusSeconds(10), 4_000, 0);

    assertThat(before(10)).containsExactly(new Carried(NOW, 5_000, 500));
  }

  @Test
  void whatReachesOverSeveralSpansIsSharedOutByTime() {
    carried.add(NOW.plusSeconds(5), NOW.plusSeconds(25), 20_000, 0);

    assertThat(before(30))
        .extracting(Carried::forwardBytes)
        .containsExactly(5_000.0, 10_000.0, 5_000.0);
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

    assertThat(sum(before(3_600))).isCloseTo((double) all, within(1e-3));
  }

  @Test
  void anIdleChainHasSpansOfNothingAndOneThatWasNotHeardHasNone() {
    carried.add(NOW, NOW.plusSeconds(10), 0, 0);
    carried.add(NOW.plusSeconds(40), NOW.plusSeconds(50), 1_000, 0);

    assertThat(before(50))
        .containsExactly(new Carried(NOW, 0, 0), new Carried(NOW.plusSeconds(40), 1_000, 0));
  }

  @Test
  void aSpanThatIsNotOverIsNotShown() {
    carried.add(NOW, NOW.plusSeconds(15), 1_500, 0);

    assertThat(before(19)).hasSize(1);
    assertThat(before(20)).hasSize(2);
  }

  @Test
  void anHourIsKept() {
    carried.add(NOW, NOW.plusSeconds(10), 1_000, 0);
    Instant later = NOW.plus(Duration.ofHours(2));
    carried.add(later, later.plusSeconds(10), 1_000, 0);

    assertThat(before(3 * 3_600)).extracting(Carried::start).containsExactly(later);
    carried.add(NOW, NOW.plusSeconds(10), 1_000, 0);
    assertThat(before(3 * 3_600)).as("what is too old").hasSize(1);
  }

  @Test
  void anHourOfSpansIsKeptWholeWhileTimeGoesOn() {
    for (int second = 0; second < 3 * 3_600; second += 10) {
      carried.add(NOW.plusSeconds(second), NOW.plusSeconds(second + 10), second, 0);
    }

    assertThat(carried.between(NOW.plusSeconds(2 * 3_600), NOW.plusSeconds(3 * 3_600)))
        .hasSize(360)
        .allSatisfy(span ->
            assertThat(span.forwardBytes())
                .isEqualTo((double) Duration.between(NOW, span.start()).toSeconds()));
  }

  /** As the looks at two chains that are counted together. */
  @Test
  void whatIsOlderThanTheFirstLookHasAPlaceToo() {
    carried.add(NOW.plusSeconds(300), NOW.plusSeconds(310), 1_000, 0);
    carried.add(NOW.plusSeconds(250), NOW.plusSeconds(310), 6_000, 0);

    assertThat(before(310))
        .extracting(Carried::forwardBytes)
        .containsExactly(1_000.0, 1_000.0, 1_000.0, 1_000.0, 1_000.0, 2_000.0);
  }

  @Test
  void whatTookNoTimeIsNotCounted() {
    carried.add(NOW, NOW, 1_000, 0);
    carried.add(NOW.plusSeconds(1), NOW, 1_000, 0);

    assertThat(before(60)).isEmpty();
  }

  private List<Carried> before(long second) {
    return carried.between(NOW.minusSeconds(60), NOW.plusSeconds(second));
  }

  private static double sum(List<Carried> spans) {
    return spans.stream().mapToDouble(Carried::forwardBytes).sum();
  }
}
