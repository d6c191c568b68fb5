package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import org.junit.jupiter.api.Test;

/** Two connections that deliver at given rates, in virtual time. */
class StandbyTest {
  private static final String DIRECT = "direct";
  private static final String RELAYS = "relays";
  private static final long MILLI = 1_000_000;
  private static final long PLENTY = 1_000_000_000;
  private static final int ROUND_TRIP_MILLIS = 50;

  private final BlockLedger<String> ledger = new BlockLedger<>();
  private final Standby<String> standby = new Standby<>(ledger);
  private long now;
  private long offset;

  @Test
  void connectionsOfWhichNoneIsPreferredRunTogether() {
    join(DIRECT, false);
    join(RELAYS, false);

    deliver(10_000, 10, 1);

    assertThat(rests(DIRECT)).isFalse();
    assertThat(rests(RELAYS)).isFalse();
  }

  @Test
  void theSlowerOneRestsWhereTheOtherCarriesAsMuchWithoutIt() {
    join(DIRECT, false);
    join(RELAYS, false);
    deliver(4_050, 10, 30);
    assertThat(rests(DIRECT)).as("it is tried").isTrue();
    assertThat(rests(RELAYS)).isFalse();

    deliver(2_000, 0, 40);

    assertThat(rests(DIRECT)).isTrue();
    assertThat(standby.isAlone(RELAYS)).isTrue();
  }

  @Test
  void theSlowerOneGoesOnWhereTheOtherCarriesLessWithoutIt() {
    join(DIRECT, false);
    join(RELAYS, false);
    deliver(4_050, 10, 30);
    assertThat(rests(DIRECT)).as("it is tried").isTrue();

    deliver(2_000, 0, 30);

    assertThat(rests(DIRECT)).isFalse();
    deliver(20_000, 10, 30);
    assertThat(rests(DIRECT)).as("it was shown to add something").isFalse();
  }

  @Test
  void ofThreeTheSlowestIsTheFirstToBeTried() {
    join(DIRECT, false);
    join("coded", false);
    join(RELAYS, false);
    for (int i = 0; i < 81; i++) {
      deliver(50, 10, 30);
      Range block = send("coded", 31_250); // 5 Mbit/s
      ledger.arrived("coded", block, now);
    }

    assertThat(rests("coded")).isTrue();
    assertThat(rests(DIRECT)).isFalse();
    assertThat(rests(RELAYS)).isFalse();
  }

  @Test
  void thoseThatRestTakeOverWhereTheLastOneThatRanHasGone() {
    join(DIRECT, false);
    join("coded", false);
    deliver(1_000, 10, 0);
    join(RELAYS, true);
    deliver(1_500, 0, 40);
    assertThat(rests(DIRECT)).isTrue();
    assertThat(rests("coded")).isTrue();

    ledger.remove(RELAYS);

    assertThat(rests(DIRECT)).isFalse();
    assertThat(rests("coded")).isFalse();
  }

  @Test
  void theOneThatIsPreferredBeginsWhenTheOtherOneHasDelivered() {
    join(DIRECT, false);
    deliver(1_000, 10, 0);
    Range underWay = send(DIRECT, 200_000);
    join(RELAYS, true);

    assertThat(rests(DIRECT)).isTrue();
    assertThat(rests(RELAYS)).isTrue();

    ledger.arrived(DIRECT, underWay, now);

    assertThat(rests(RELAYS)).isFalse();
    assertThat(rests(DIRECT)).isTrue();
    assertThat(standby.isAlone(RELAYS)).isTrue();
  }

  /** What is left takes it 1.6 s, hardly more than the other one takes to find its rate. */
  @Test
  void theOtherOneGoesOnWhereItHasHardlyMoreToDo() {
    join(DIRECT, false);
    deliver(1_000, 10, 0);
    Range _ = send(DIRECT, 200_000);
    join(RELAYS, true);

    assertThat(standby.rests(DIRECT, 2_000_000, now)).isFalse();
    assertThat(standby.rests(RELAYS, 2_000_000, now)).isFalse();
  }

  @Test
  void itDoesNotWaitForASlowConnection() {
    join(DIRECT, false);
    deliver(1_000, 10, 0);
    Range _ = send(DIRECT, 200_000);
    join(RELAYS, true);
    assertThat(rests(RELAYS)).isTrue();

    now += 500 * MILLI;

    assertThat(rests(RELAYS)).isFalse();
  }

  @Test
  void theOtherOneHelpsWhereThePreferredOneIsSlower() {
    preferRelays();

    deliver(3_000, 0, 5);

    assertThat(rests(DIRECT)).isFalse();
    assertThat(rests(RELAYS)).isFalse();
  }

  @Test
  void theOtherOneHelpsWhereThePreferredOneStalls() {
    preferRelays();
    deliver(1_500, 0, 40);
    assertThat(rests(DIRECT)).isTrue();

    Range _ = send(RELAYS, 100_000);
    now += 2_000 * MILLI;

    assertThat(rests(DIRECT)).isFalse();
  }

  @Test
  void theOneThatRestsStaysWhereItAdds() {
    preferRelays();
    deliver(2_050, 0, 40);
    assertThat(rests(DIRECT)).as("it is tried").isFalse();

    deliver(2_000, 10, 40);
    assertThat(rests(DIRECT)).isFalse();
    deliver(10_000, 10, 20);
    assertThat(rests(DIRECT)).isFalse();
  }

  @Test
  void theOneThatRestsGoesOnRestingWhereItDoesNotAdd() {
    preferRelays();
    deliver(2_050, 0, 40);
    assertThat(rests(DIRECT)).as("it is tried").isFalse();

    deliver(2_000, 10, 31);

    assertThat(rests(DIRECT)).isTrue();
    assertThat(rests(RELAYS)).isFalse();
  }

  @Test
  void nothingIsTriedForTheEndOfATransfer() {
    preferRelays();
    deliver(1_950, 0, 40);
    now += 100 * MILLI;

    assertThat(standby.rests(DIRECT, 0, now)).isTrue();
  }

  @Test
  void oneThatIsLeftCarriesEverything() {
    preferRelays();

    ledger.remove(RELAYS);

    assertThat(rests(DIRECT)).isFalse();
  }

  @Test
  void oneThatComesAgainStandsByAtOnce() {
    preferRelays();
    deliver(1_500, 0, 40);
    ledger.remove(DIRECT);

    join("direct again", false);

    assertThat(rests("direct again")).isTrue();
    assertThat(rests(RELAYS)).isFalse();
  }

  private void preferRelays() {
    join(DIRECT, false);
    deliver(1_000, 10, 0);
    join(RELAYS, true);
    now += MILLI;
    assertThat(rests(DIRECT)).isTrue();
    assertThat(rests(RELAYS)).isFalse();
  }

  private void join(String connection, boolean preferred) {
    ledger.add(connection, new Pace(now));
    standby.joined(connection, preferred, now);
  }

  private boolean rests(String connection) {
    return standby.rests(connection, PLENTY, now);
  }

  private Range send(String connection, int bytes) {
    Range block = new Range(offset, bytes);
    offset += bytes;
    ledger.sent(connection, block, now);
    return block;
  }

  /** Both deliver at so many Mbit/s for some time. */
  private void deliver(long millis, double direct, double relays) {
    long end = now + millis * MILLI;
    while (now < end) {
      Range first = direct > 0 ? send(DIRECT, bytes(direct)) : null;
      Range second = relays > 0 ? send(RELAYS, bytes(relays)) : null;
      now += ROUND_TRIP_MILLIS * MILLI;
      if (first != null) {
        ledger.arrived(DIRECT, first, now);
      }
      if (second != null) {
        boolean _ = rests(RELAYS);
        ledger.arrived(RELAYS, second, now);
      }
      if (ledger.knows(RELAYS)) {
        boolean _ = rests(DIRECT);
      }
    }
  }

  private static int bytes(double megabits) {
    return (int) (megabits * 1e6 / 8 * ROUND_TRIP_MILLIS / 1e3);
  }
}
