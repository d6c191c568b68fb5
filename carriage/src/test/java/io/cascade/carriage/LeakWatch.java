package io.cascade.carriage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Turns what Netty's leak detector finds into an assertion. A buffer leaks when it becomes
 * unreachable before its last reference was released.
 */
public final class LeakWatch {
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();

  private LeakWatch() {}

  /** Call before the first buffer that matters. */
  public static void start() {
    ByteBufUtil.setLeakListener((kind, records) -> LEAKS.add(kind + records));
    LEAKS.clear();
  }

  /** Everything that leaked since {@link #start()} has been found when this returns. */
  public static void assertNothingLeaks() {
    ReferenceQueue<Object> unreachable = new ReferenceQueue<>();
    PhantomReference<Object> canary = new PhantomReference<>(new Object(), unreachable);
    await()
        .until(() -> {
          System.gc();
          return canary.equals(unreachable.poll());
        });
    // The detector looks at what was collected when the next buffer is made.
    PooledByteBufAllocator.DEFAULT.directBuffer().release();
    assertThat(LEAKS).isEmpty();
  }
}
