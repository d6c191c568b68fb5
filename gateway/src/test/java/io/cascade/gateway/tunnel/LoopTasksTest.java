package io.cascade.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.DefaultEventLoop;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopTasksTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();

  @AfterEach
  void end() {
    loop.shutdownGracefully();
  }

  @Test
  void aTaskIsRunAgainWhateverItThrows() throws InterruptedException {
    CountDownLatch runs = new CountDownLatch(3);
    LoopTasks.every(
        loop,
        1_000_000,
        () -> {
          runs.countDown();
          if (runs.getCount() == 2) {
            throw new OutOfMemoryError("for a moment");
          }
          throw new IllegalStateException("a defect");
        });

    runs.await();
  }

  @Test
  void whoeverAsksHearsOfAnErrorToo() {
    assertThatThrownBy(() ->
            LoopTasks.ask(
                loop,
                () -> {
                  throw new OutOfMemoryError("for a moment");
                }))
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(OutOfMemoryError.class);
  }
}
