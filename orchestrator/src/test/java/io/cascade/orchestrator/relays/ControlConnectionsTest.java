package io.cascade.orchestrator.relays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.orchestrator.time.ManualTime;
import io.cascade.orchestrator.time.Timekeeper;
import jakarta.websocket.Session;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls wait for the control connections of their relays. */
@Timeout(60)
class ControlConnectionsTest {
  private static final Duration LONG = Duration.ofSeconds(50);
  private static final int OTHERS = 20;

  private final Timekeeper time = ManualTime.running().timekeeper();
  private final ControlConnections connections = new ControlConnections(_ -> {});
  private final RegisteredRelay one = KnownRelay.named("one").relay();

  @Test
  void aCallIsWokenByItsOwnRelayAlone() throws Exception {
    FutureTask<Long> waits = new FutureTask<>(() -> waitsFor(one));
    Thread waiting = Thread.ofPlatform().start(waits);
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);

    for (int i = 0; i < OTHERS; i++) {
      RegisteredRelay other = KnownRelay.named("other-" + i).relay();
      FutureTask<Long> behind = new FutureTask<>(() -> waitsFor(other));
      Thread alsoWaiting = Thread.ofPlatform().start(behind);
      await().until(() -> alsoWaiting.getState() == Thread.State.TIMED_WAITING);
      connections.opened(other, connection(other));
      assertThat(behind.get()).isPositive(); // who waited before it was woken before it, if at all
    }
    connections.opened(one, connection(one));

    assertThat(waits.get()).as("times that the thread waited").isLessThan(OTHERS / 2);
  }

  @Test
  void allCallsOfARelayGoOnWhenItsConnectionOpens() throws Exception {
    FutureTask<Long> first = new FutureTask<>(() -> waitsFor(one));
    FutureTask<Long> second = new FutureTask<>(() -> waitsFor(one));
    Thread waiting = Thread.ofPlatform().start(first);
    Thread alsoWaiting = Thread.ofPlatform().start(second);
    await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    await().until(() -> alsoWaiting.getState() == Thread.State.TIMED_WAITING);

    connections.opened(one, connection(one));

    assertThat(first.get()).isPositive();
    assertThat(second.get()).isPositive();
  }

  @Test
  void aCallWaitsNoLongerThanItIsTold() throws Exception {
    assertThat(connections.await(one, Duration.ofMillis(1))).isEmpty();
    connections.opened(one, connection(one));
    assertThat(connections.await(one, Duration.ofMillis(1))).isPresent();
  }

  /** Waits for the relay's connection; how often the thread did so until it was there. */
  private long waitsFor(RegisteredRelay relay) throws Exception {
    long before = waited();
    Optional<ControlConnection> there = connections.await(relay, LONG);
    long after = waited();
    assertThat(there).isPresent();
    return after - before;
  }

  private static long waited() {
    return ManagementFactory.getThreadMXBean()
        .getThreadInfo(Thread.currentThread().threadId())
        .getWaitedCount();
  }

  private ControlConnection connection(RegisteredRelay relay) {
    Session session =
        (Session)
            Proxy.newProxyInstance(
                ControlConnectionsTest.class.getClassLoader(),
                new Class<?>[] {Session.class},
                (_, method, _) -> method.getReturnType() == boolean.class ? true : null);
    return new ControlConnection(session, relay.instance(), time);
  }
}
