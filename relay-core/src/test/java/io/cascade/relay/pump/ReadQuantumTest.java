package io.cascade.relay.pump;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ReadQuantumTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1); // nanoTime may overflow
  private final ReadQuantum quantum = new ReadQuantum(now::get);

  @Test
  void aLoopThatCarriesBulkAloneReadsAsMuchAsThereIs() {
    quantum.read(1 << 20, 0);
    quantum.read(300_000, 700_000);
    quantum.read(8_192, 0); // the first read of bulk fills its small buffer

    assertThat(quantum.bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void afterAMessageItReadsInSmallPiecesForAWhile() {
    quantum.read(64, 8_128);
    assertThat(quantum.bytes()).isEqualTo(ReadQuantum.SMALL_BYTES);

    now.addAndGet(ReadQuantum.MEMORY_NANOS);
    assertThat(quantum.bytes()).isEqualTo(ReadQuantum.SMALL_BYTES);

    now.addAndGet(1);
    assertThat(quantum.bytes()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void everyMessageProlongsIt() {
    quantum.read(64, 8_128);
    now.addAndGet(ReadQuantum.MEMORY_NANOS);
    quantum.read(16_384, 1);
    now.addAndGet(ReadQuantum.MEMORY_NANOS);

    assertThat(quantum.bytes()).isEqualTo(ReadQuantum.SMALL_BYTES);
  }
}
