package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.pump.MemoryBudget;
import org.junit.jupiter.api.Test;

class DirectMemoryTest {
  private static final long MEBIBYTE = 1L << 20;
  private static final int STREAMS = RelaySettings.DEFAULT_MAX_STREAMS;

  @Test
  void whatIsHeldBesidesTheBudgetIsCounted() {
    long budget = 256 * MEBIBYTE;
    long floors = 2L * MemoryBudget.FLOOR_BYTES * STREAMS;
    long records = 2L * 20_480 * STREAMS;

    assertThat(relay(0, 2, false).needed(budget, STREAMS))
        .isEqualTo(320 * MEBIBYTE + floors + 16 * MEBIBYTE + 32 * MEBIBYTE);
    assertThat(relay(0, 2, true).needed(budget, STREAMS))
        .isEqualTo(320 * MEBIBYTE + floors + records + 16 * MEBIBYTE + 32 * MEBIBYTE);
  }

  @Test
  void whatIsGivenToTheByteIsEnough() {
    long needed = relay(0, 1, true).needed(MEBIBYTE, 100);

    assertThat(relay(needed, 1, true).shortage(MEBIBYTE, 100)).isNull();
    assertThat(relay(needed - 1, 1, true).shortage(MEBIBYTE, 100)).isNotNull();
  }

  @Test
  void whatIsMissingIsSaidWithItsFix() {
    assertThat(relay(512 * MEBIBYTE, 2, false).shortage(1024 * MEBIBYTE, STREAMS))
        .isEqualTo(
            "--memory 1GiB with --max-streams 10000 needs CASCADE_DIRECT_MEMORY=1407m or more"
                + " (-XX:MaxDirectMemorySize), and 512m are given; fix: start the relay with that,"
                + " or give less memory or fewer streams");
    assertThat(relay(512 * MEBIBYTE, 2, false).shortage(Long.MAX_VALUE, STREAMS)).isNotNull();
  }

  @Test
  void theLaunchersTwoGibibytesAreEnoughForTheDefaultsOnAHundredProcessors() {
    assertThat(
            relay(2_048 * MEBIBYTE, 100, true)
                .shortage(RelaySettings.DEFAULT_MEMORY_BUDGET_BYTES, STREAMS))
        .isNull();
  }

  private static DirectMemory relay(long limitBytes, int eventLoops, boolean encrypts) {
    return new DirectMemory(limitBytes, eventLoops, encrypts);
  }
}
