package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CourtesyTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1); // nanoTime may overflow
  private final Courtesy courtesy = new Courtesy(now::get);

  @Test
  void aLoopThatCarriesBulkAloneReadsAsMuchAsThereIs() {
    courtesy.read(1 << 20, 0);
    courtesy.read(300_000, 700_000);
    courtesy.read(8_192, 0); // the first read of bulk fills its small buffer

    assertThat(courtesy.bite()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void afterAMessageItReadsInSmallBitesForAWhile() {
    courtesy.read(64, 8_128);
    assertThat(courtesy.bite()).isEqualTo(Courtesy.SMALL_BITE);

    now.addAndGet(Courtesy.MEMORY_NANOS);
    assertThat(courtesy.bite()).isEqualTo(Courtesy.SMALL_BITE);

    now.addAndGet(1);
    assertThat(courtesy.bite()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void everyMessageProlongsIt() {
    courtesy.read(64, 8_128);
    now.addAndGet(Courtesy.MEMORY_NANOS);
    courtesy.read(16_384, 1);
    now.addAndGet(Courtesy.MEMORY_NANOS);

    assertThat(courtesy.bite()).isEqualTo(Courtesy.SMALL_BITE);
  }
}
