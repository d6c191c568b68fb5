package io.cascade.relay.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

class PasswordTurnsTest {
  private static final InetAddress STRANGER = InetAddress.ofLiteral("192.0.2.66");
  private static final InetAddress USER = InetAddress.ofLiteral("192.0.2.1");

  private final Queue<Runnable> thread = new ArrayDeque<>();
  private final PasswordTurns turns = new PasswordTurns(thread::add);
  private final List<String> done = new ArrayList<>();

  @Test
  void whoeverOffersManyDelaysAnotherSourceByOne() {
    for (int i = 0; i < 60; i++) {
      turns.await(STRANGER, () -> done.add("stranger"));
    }
    turns.await(USER, () -> done.add("user"));
    work();
    assertThat(done).hasSize(61);
    assertThat(done.indexOf("user")).isEqualTo(1);
  }

  @Test
  void oneIpv6NetworkIsOneSource() {
    for (int i = 1; i <= 60; i++) {
      turns.await(InetAddress.ofLiteral("2001:db8::" + i), () -> done.add("stranger"));
    }
    turns.await(InetAddress.ofLiteral("2001:db8:0:1::1"), () -> done.add("user"));
    work();
    assertThat(done.indexOf("user")).isEqualTo(1);
  }

  @Test
  void whoeverHasGoneTakesNoTurn() {
    Runnable gone = () -> done.add("gone");
    turns.await(STRANGER, gone);
    turns.await(USER, () -> done.add("user"));
    turns.withdraw(STRANGER, gone);
    work();
    turns.withdraw(STRANGER, gone);
    assertThat(done).containsExactly("user");
  }

  @Test
  void turnsGoOnAfterAnError() {
    turns.await(
        STRANGER,
        () -> {
          throw new OutOfMemoryError("for a moment");
        });
    turns.await(USER, () -> done.add("user"));
    work();
    turns.await(USER, () -> done.add("user"));
    work();
    assertThat(done).containsExactly("user", "user");
  }

  private void work() {
    Deque<Runnable> now = new ArrayDeque<>(thread);
    thread.clear();
    assertThat(now).as("runs on one thread").hasSize(1);
    now.remove().run();
  }
}
