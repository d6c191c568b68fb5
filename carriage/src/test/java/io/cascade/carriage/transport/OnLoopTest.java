package io.cascade.carriage.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.netty.channel.DefaultEventLoop;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class OnLoopTest {
  /** As at a hand-over, when pipes break whose loops have ended before. */
  @Test
  void aTaskForALoopThatHasEndedIsDropped() {
    DefaultEventLoop loop = new DefaultEventLoop();
    loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    AtomicBoolean ran = new AtomicBoolean();

    assertThatCode(() -> OnLoop.run(loop, () -> ran.set(true))).doesNotThrowAnyException();

    assertThat(ran).isFalse();
  }

  @Test
  void aTaskRunsOnItsLoopAtOnceWhereTheCallerIsOnIt() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    try {
      assertThat(
              loop.submit(
                      () -> {
                        AtomicBoolean ran = new AtomicBoolean();
                        OnLoop.run(loop, () -> ran.set(loop.inEventLoop()));
                        return ran.get();
                      })
                  .get())
          .isTrue();
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }
}
