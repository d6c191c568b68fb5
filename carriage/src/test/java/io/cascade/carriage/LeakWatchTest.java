package io.cascade.carriage;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.PooledByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakWatchTest {
  @Test
  void aBufferThatLeaksFailsATestAndIsNamedByWhereItWasMade() {
    LeakWatch.start();
    leak();

    assertThatThrownBy(LeakWatch::assertNothingLeaks)
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining(LeakWatchTest.class.getName() + ".leak(");
  }

  private static void leak() {
    PooledByteBufAllocator.DEFAULT.directBuffer(100).writeInt(1);
  }
}
