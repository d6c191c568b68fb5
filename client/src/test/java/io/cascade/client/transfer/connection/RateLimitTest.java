package io.cascade.client.transfer.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final long NOW = System.nanoTime() + 1_000_000_000;

  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final WritableByteChannel to = Channels.newChannel(taken);

  @Test
  void connectionsThatShareItWaitForEachOther() {
    RateLimit limit = RateLimit.of(8_000_000); // A byte a microsecond.

    assertThat(limit.take(1_000, NOW)).isZero();
    assertThat(limit.take(500, NOW)).isEqualTo(1_000_000);
    assertThat(limit.take(500, NOW + 200_000)).isEqualTo(1_300_000);
  }

  @Test
  void timeThatNobodyUsedIsNotSavedUp() {
    RateLimit limit = RateLimit.of(8_000_000);
    limit.take(1_000, NOW);

    long later = NOW + 1_000_000_000;
    assertThat(limit.take(1_000, later)).isZero();
    assertThat(limit.take(1_000, later)).isEqualTo(1_000_000);
  }

  @Test
  void aPieceIsWhatTheRateCarriesInTwentyMilliseconds() throws IOException {
    ByteBuffer block = ByteBuffer.allocate(1 << 20);

    assertThat(RateLimit.of(8_000_000).write(to, block)).isEqualTo(20_000);
    assertThat(block.position()).isEqualTo(20_000);
    assertThat(RateLimit.of(1_000).write(to, block)).as("a packet at least").isEqualTo(1_400);
    assertThat(RateLimit.of(10_000_000_000L).write(to, block)).isEqualTo(64 * 1024);
    assertThat(taken.size()).isEqualTo(20_000 + 1_400 + 64 * 1024);
  }

  @Test
  void withoutALimitEverythingIsWrittenAtOnce() throws IOException {
    assertThat(RateLimit.NONE.write(to, ByteBuffer.allocate(1 << 20))).isEqualTo(1 << 20);
  }

  @Test
  void nothingIsNoRate() {
    assertThatThrownBy(() -> RateLimit.of(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
