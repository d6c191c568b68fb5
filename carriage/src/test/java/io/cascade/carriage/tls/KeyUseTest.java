package io.cascade.carriage.tls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeyUseTest {
  private static final int RECORD = 16_384;

  @Test
  void theLimitIsWhatTheRfcSaysInFullRecords() {
    double records = KeyUse.LIMIT_BYTES / (double) RECORD;

    assertThat(records).isLessThan(Math.pow(2, 24.5)).isGreaterThan(Math.pow(2, 24.5) * 0.999_99);
  }

  @Test
  void nothingIsTakenBeyondTheLimit() {
    KeyUse key = new KeyUse(2 * (RECORD + KeyUse.RECORD_BYTES));

    assertThat(key.take(RECORD, 1)).isTrue();
    assertThat(key.take(RECORD + 1, 1)).isFalse();
    assertThat(key.take(RECORD, 2)).isFalse();
    assertThat(key.take(RECORD, 1)).isTrue();
    assertThat(key.take(0, 1)).isFalse();
  }

  @Test
  void aNewKeyHasSealedNothing() {
    KeyUse key = new KeyUse(100);
    assertThat(key.take(60, 1)).isTrue();

    key.renew();

    assertThat(key.take(60, 1)).isTrue();
  }
}
