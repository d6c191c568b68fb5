package io.cascade.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StopHookTest {
  private final AtomicInteger actions = new AtomicInteger();

  @Test
  void actionRunsWhenTheProcessIsStopped() {
    StopHook hook = StopHook.install(actions::incrementAndGet);
    assertThat(hook.isStopping()).isFalse();

    hook.stop();

    assertThat(hook.isStopping()).isTrue();
    assertThat(actions).hasValue(1);
    hook.close();
    assertThat(hook.isStopping()).isTrue();
  }

  @Test
  void hookIsTakenOffWhenTheWorkIsDone() {
    StopHook hook = StopHook.install(actions::incrementAndGet);
    hook.close();
    hook.close();

    assertThat(hook.isStopping()).isFalse();
    assertThat(actions).hasValue(0);
  }
}
