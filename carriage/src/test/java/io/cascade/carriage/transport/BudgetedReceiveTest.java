package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BudgetedReceiveTest {
  private final BudgetedReceive receive = new BudgetedReceive();

  @BeforeEach
  void hasRoom() {
    receive.readFor(() -> Long.MAX_VALUE);
  }

  @Test
  void messagesMakeNobodyExpectBulk() {
    for (int i = 0; i < 100; i++) {
      read(64);
      read(5_000);
    }
    assertThat(expectsBulk()).isFalse();
  }

  @Test
  void readsThatFillTheirBuffersAreBulk() {
    for (int i = 0; i < 4; i++) {
      read(Integer.MAX_VALUE);
    }
    assertThat(expectsBulk()).isTrue();
  }

  @Test
  void bulkThatNowAndThenCatchesUpWithItsSenderIsBulkStill() {
    for (int i = 0; i < 100; i++) {
      read(Integer.MAX_VALUE);
      read(Integer.MAX_VALUE);
      read(500);
    }
    assertThat(expectsBulk()).isTrue();
  }

  @Test
  void messagesAfterBulkAreMessagesSoon() {
    for (int i = 0; i < 10; i++) {
      read(Integer.MAX_VALUE);
    }
    for (int i = 0; i < 10; i++) {
      read(500);
    }
    assertThat(expectsBulk()).isFalse();
  }

  private boolean expectsBulk() {
    return receive.nextBytes() > 64 << 10;
  }

  /** Reads as much as there is room for, or less. */
  private void read(int bytes) {
    int room = receive.guess();
    receive.attemptedBytesRead(room);
    receive.lastBytesRead(Math.min(bytes, room));
  }
}
