package io.cascade.client.transfer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.schedule.BlockLedger.Range;
import org.junit.jupiter.api.Test;

class BlockLedgerTest {
  private static final Range BLOCK = new Range(0, 1_000);
  private static final BlockLedger.Worthwhile ALWAYS = (block, theirs) -> true;

  private final BlockLedger<String> ledger = new BlockLedger<>();

  @Test
  void whatAConnectionLeavesBehindIsSentOverAnother() {
    ledger.add("direct", new Pace(0));
    ledger.add("relays", new Pace(0));
    ledger.sent("direct", BLOCK, 0);

    ledger.remove("direct");

    assertThat(ledger.resend("relays", 0)).isEqualTo(BLOCK);
    assertThat(ledger.resend("relays", 0)).isNull();
    assertThat(ledger.arrived("relays", BLOCK, 1)).isPresent();
  }

  @Test
  void aCopyThatIsUnderWayAlreadyIsNotSentASecondTimeOverTheSameConnection() {
    ledger.add("direct", new Pace(0));
    ledger.add("relays", new Pace(0));
    ledger.sent("direct", BLOCK, 0);
    assertThat(ledger.copy("relays", 0, ALWAYS)).contains(BLOCK);

    ledger.remove("direct");

    assertThat(ledger.resend("relays", 0)).isNull();
    assertThat(ledger.hasTheRest("relays")).isTrue();
    assertThat(ledger.arrived("relays", BLOCK, 1)).isPresent();
    assertThat(ledger.arrivedBytes()).isEqualTo(1_000);
  }

  @Test
  void aCopyIsLostWithTheLastConnectionThatHadIt() {
    ledger.add("direct", new Pace(0));
    ledger.add("relays", new Pace(0));
    ledger.sent("direct", BLOCK, 0);
    assertThat(ledger.copy("relays", 0, ALWAYS)).isPresent();
    ledger.remove("direct");
    ledger.resend("relays", 0);
    ledger.add("other", new Pace(0));

    ledger.remove("relays");

    assertThat(ledger.resend("other", 0)).isEqualTo(BLOCK);
  }

  @Test
  void aHoleCountsAsThereAndAsNothingThatAConnectionCarried() {
    BlockLedger<String> ledger = new BlockLedger<>();
    Pace pace = new Pace(0);
    ledger.add("direct", pace);
    Range hole = new Range(0, 1_000_000, true);

    ledger.sent("direct", hole, 0);
    assertThat(ledger.underWayBytes("direct")).isZero();

    assertThat(ledger.arrived("direct", new Range(0, 1_000_000), 1)).contains(hole);
    assertThat(ledger.arrivedBytes()).isEqualTo(1_000_000);
    assertThat(pace.bytes()).isZero();
    assertThat(pace.highestBitsPerSecond()).isZero();
  }
}
