package io.cascade.client.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.transfer.BlockLedger.Range;
import org.junit.jupiter.api.Test;

class BlockLedgerTest {
  private static final Range BLOCK = new Range(0, 1_000);

  private final BlockLedger<String> ledger = new BlockLedger<>();

  @Test
  void whatAConnectionLeavesBehindIsSentOverAnother() {
    ledger.add("direct");
    ledger.add("relays");
    ledger.sent("direct", BLOCK);

    ledger.remove("direct");

    assertThat(ledger.resend("relays")).isEqualTo(BLOCK);
    assertThat(ledger.resend("relays")).isNull();
    assertThat(ledger.arrived("relays", BLOCK)).isTrue();
  }

  @Test
  void aCopyThatIsUnderWayAlreadyIsNotSentASecondTimeOverTheSameConnection() {
    ledger.add("direct");
    ledger.add("relays");
    ledger.sent("direct", BLOCK);
    assertThat(ledger.copy("relays")).isEqualTo(BLOCK);

    ledger.remove("direct");

    assertThat(ledger.resend("relays")).isNull();
    assertThat(ledger.hasTheRest("relays")).isTrue();
    assertThat(ledger.arrived("relays", BLOCK)).isTrue();
    assertThat(ledger.arrivedBytes()).isEqualTo(1_000);
  }

  @Test
  void aCopyIsLostWithTheLastConnectionThatHadIt() {
    ledger.add("direct");
    ledger.add("relays");
    ledger.sent("direct", BLOCK);
    ledger.copy("relays");
    ledger.remove("direct");
    ledger.resend("relays");
    ledger.add("other");

    ledger.remove("relays");

    assertThat(ledger.resend("other")).isEqualTo(BLOCK);
  }
}
