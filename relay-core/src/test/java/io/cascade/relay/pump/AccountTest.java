package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What a direction may hold, and what it has held. */
class AccountTest {
  private static final long LIMIT = 100_000;

  private final MemoryBudget budget = new MemoryBudget(1 << 20);
  private final Account account = new Account(budget.newLedger(), LIMIT);

  @Test
  void mayHoldItsLimitLessWhatItHoldsAndWhatCannotBeRefused() {
    assertThat(account.allowance()).isEqualTo(LIMIT - Account.GRACE_BYTES);
    account.charge(60_000);
    assertThat(account.allowance()).isEqualTo(40_000 - Account.GRACE_BYTES);
    assertThat(account.hasRoomFor(35_904)).isTrue();
    assertThat(account.hasRoomFor(35_905)).isFalse();
    assertThat(budget.heldBytes()).isEqualTo(60_000);
  }

  @Test
  void whatAHandlerCarriesIsHeldButDoesNotKeepItsRestFromBeingRead() {
    Account greedy = new Account(budget.newLedger(), 2 << 20);
    greedy.charge(1 << 20);
    account.carries(5_000);

    assertThat(account.heldBytes()).isEqualTo(5_000);
    assertThat(account.holdsOnly(0)).isTrue();
    assertThat(account.allowance()).isEqualTo(MemoryBudget.FLOOR_BYTES);

    account.carries(0);
    assertThat(account.heldBytes()).isZero();
  }

  @Test
  void whatWasHeldAtMostIsKept() {
    account.charge(300);
    account.discharge(200);
    account.charge(50);

    assertThat(account.heldBytes()).isEqualTo(150);
    assertThat(account.peakHeldBytes()).isEqualTo(300);
  }

  @Test
  void splicedBytesAreAmongThoseHandedOn() {
    account.went(5);
    account.wentSpliced(7);

    assertThat(account.bytesOut()).isEqualTo(12);
    assertThat(account.splicedBytes()).isEqualTo(7);
  }
}
