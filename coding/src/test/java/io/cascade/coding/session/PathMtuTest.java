package io.cascade.coding.session;

import static io.cascade.coding.session.PathMtu.State.HALVED;
import static io.cascade.coding.session.PathMtu.State.SEARCHING;
import static io.cascade.coding.session.PathMtu.State.WHOLE;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PathMtuTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long ANSWER = SECOND / 5;

  private final PathMtu mtu = new PathMtu();

  @Test
  void movesAsItsTableSays() {
    // BLACK_HOLE, SEARCH_DUE, PROBE_ANSWERED, PROBES_LOST, WAY_CHANGED
    assertRow(WHOLE, HALVED, WHOLE, WHOLE, WHOLE, WHOLE);
    assertRow(HALVED, HALVED, SEARCHING, WHOLE, HALVED, WHOLE);
    assertRow(SEARCHING, SEARCHING, SEARCHING, WHOLE, HALVED, WHOLE);
  }

  private static void assertRow(PathMtu.State from, PathMtu.State... to) {
    assertThat(Arrays.stream(PathMtu.State.Event.values()).map(from::after).toList())
        .as("from %s", from)
        .isEqualTo(List.of(to));
  }

  /** Probes until a time; how many. */
  private int probes(long from, long until) {
    int probes = 0;
    for (long now = from; now < until; now += SECOND / 100) {
      if (mtu.poll(now, ANSWER)) {
        probes++;
      }
    }
    return probes;
  }

  @Test
  void searchesThreeTimesEachLaterThanTheOneBefore() {
    assertThat(probes(0, 10 * SECOND)).isZero();
    assertThat(mtu.onBlackHole(10 * SECOND)).isTrue();
    assertThat(mtu.onBlackHole(10 * SECOND)).isFalse();
    assertThat(probes(10 * SECOND, 11 * SECOND)).isZero();
    assertThat(probes(11 * SECOND, 12 * SECOND)).isEqualTo(3);
    assertThat(mtu.state()).isEqualTo(HALVED);
    assertThat(probes(12 * SECOND, 13 * SECOND)).isZero();
    assertThat(probes(13 * SECOND, 15 * SECOND)).isEqualTo(3);
    assertThat(probes(15 * SECOND, 7_000 * SECOND)).as("every ten minutes").isBetween(40, 66);
  }

  @Test
  void anAnswerMakesDatagramsWholeAgain() {
    mtu.onBlackHole(0);
    assertThat(mtu.poll(SECOND, ANSWER)).isTrue();
    mtu.onProbeAnswered(SECOND + ANSWER / 2);
    assertThat(mtu.isHalved()).isFalse();
    assertThat(mtu.nextNanos()).isEqualTo(PathMtu.NEVER);
  }
}
