package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.TestChain;
import io.cascade.relay.TestRelay;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What both ends see of a stream through coded hops is what they see of a direct connection.
 *
 * <p>For a long run: {@code -Dcascade.conformance.scripts=5000 -Dcascade.conformance.seed=1}.
 */
class CodedConformanceTest {
  private static Stage stage;
  private static Stage direct;
  private static TestChain chain;

  @BeforeAll
  static void open() throws Exception {
    LeakWatch.start();
    stage = Stage.open();
    direct = Stage.open();
    chain =
        TestChain.over(
            List.of(
                TestRelay.on(Transport.EPOLL).start("a"),
                TestRelay.on(Transport.EPOLL).start("b"),
                TestRelay.on(Transport.EPOLL).start("c")),
            stage.address(),
            TestChain.options(Map.of("transport", "CODED")),
            false);
  }

  @AfterAll
  static void nothingIsLeft() throws Exception {
    for (int i = 0; i < chain.length(); i++) {
      int relay = i;
      settled("nothing is held", () -> chain.heldBytes(relay) == 0);
    }
    stage.close();
    direct.close();
    chain.close();
    LeakWatch.assertNothingLeaks();
  }

  @TestFactory
  Stream<DynamicTest> isAsADirectConnection() {
    return NamedScripts.all().stream()
        .map(script -> DynamicTest.dynamicTest(script.name(), () -> play(script)));
  }

  static LongStream seeds() {
    long first = Long.getLong("cascade.conformance.seed", 1);
    return LongStream.range(first, first + Long.getLong("cascade.conformance.scripts", 40));
  }

  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isAsADirectConnectionForRandomScripts(long seed) throws Exception {
    play(RandomTurns.of(seed).script("seed " + seed));
  }

  private static void play(Script script) throws InterruptedException {
    Stage.Views wanted = direct.play(script, direct.address());
    Stage.Views views = stage.play(script, chain.ingressAddress());
    assertThat(views).as("over coded hops: " + script).isEqualTo(wanted);
    for (int i = 0; i < chain.length(); i++) {
      int relay = i;
      settled("it finishes", () -> chain.status(relay).totals().running() == 0);
    }
  }

  private static void settled(String what, Callable<Boolean> condition) {
    await(what)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .atMost(TestChain.PATIENCE)
        .until(condition);
  }
}
