package io.cascade.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a connection does about losses, by what its kernel counts. */
class LossResponseTest {
  private static final long ROUND_TRIP_MICROS = 100_000;

  private final List<String> set = new ArrayList<>();
  private String control = "cubic";
  private boolean allowed = true;

  private final LossResponse response =
      new LossResponse(
          new LossResponse.Control() {
            @Override
            public Optional<String> name() {
              return Optional.of(control);
            }

            @Override
            public boolean set(String name) {
              set.add(name);
              return allowed;
            }
          });

  @Test
  void aConnectionWithoutLossesKeepsTheHostsControl() {
    assertThat(response.look(counters(0, ROUND_TRIP_MICROS))).isFalse();
    assertThat(set).isEmpty();
  }

  @Test
  void aLossWithoutAQueueGivesItBbr() {
    assertThat(response.look(counters(1, ROUND_TRIP_MICROS + 10_000))).isTrue();
    assertThat(set).containsExactly("bbr");
  }

  @Test
  void aLossBehindAStandingQueueChangesNothing() {
    assertThat(response.look(counters(3, 2 * ROUND_TRIP_MICROS))).isFalse();
    assertThat(response.look(counters(3, ROUND_TRIP_MICROS))).as("the same losses").isFalse();
    assertThat(set).isEmpty();
  }

  @Test
  void aLaterLossWithoutAQueueStillDoes() {
    response.look(counters(3, 2 * ROUND_TRIP_MICROS));

    assertThat(response.look(counters(4, ROUND_TRIP_MICROS))).isTrue();
  }

  @Test
  void itIsTriedOnceWhereTheSystemRefuses() {
    allowed = false;

    assertThat(response.look(counters(1, ROUND_TRIP_MICROS))).isFalse();
    assertThat(response.look(counters(2, ROUND_TRIP_MICROS))).isFalse();
    assertThat(set).hasSize(1);
  }

  @Test
  void whatHasBbrAlreadyKeepsIt() {
    control = "bbr";

    assertThat(response.look(counters(1, ROUND_TRIP_MICROS))).isFalse();
    assertThat(set).isEmpty();
  }

  @Test
  void whereNothingIsCountedNothingChanges() {
    assertThat(response.look(null)).isFalse();
    assertThat(set).isEmpty();
  }

  private static TcpCounters counters(long retransmitted, long rttMicros) {
    return new TcpCounters(
        rttMicros, ROUND_TRIP_MICROS, 1_000, retransmitted, 1_000_000, 0, 0, 0, false);
  }
}
