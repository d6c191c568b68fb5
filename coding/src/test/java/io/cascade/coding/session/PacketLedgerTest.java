package io.cascade.coding.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PacketLedgerTest {
  private final PacketLedger ledger = new PacketLedger();

  @Test
  void controlPacketsThatNobodyAcknowledgesTakeNoRoom() {
    for (int i = 0; i < 3 * PacketLedger.CAPACITY; i++) {
      ledger.sentControl(i);
      if (i % 1_000 == 0) {
        ledger.skip();
      }
    }
    assertThat(ledger.hasRoom()).isTrue();
  }

  @Test
  void dataThatNobodyAcknowledgesTakesRoom() {
    ledger.sentData(0, 7);
    for (int i = 0; i < PacketLedger.CAPACITY; i++) {
      ledger.sentControl(i);
    }
    assertThat(ledger.hasRoom()).isFalse();
  }
}
