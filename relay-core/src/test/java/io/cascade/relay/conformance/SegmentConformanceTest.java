package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.ProblemException;
import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.SegmentedChain;
import io.cascade.relay.TestChain;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
 * What both ends see of a stream through a chain of two pipes is what they see of a direct
 * connection, also while pipes break.
 *
 * <p>For a long run: {@code -Dcascade.conformance.scripts=5000 -Dcascade.conformance.seed=1}.
 */
class SegmentConformanceTest {
  private static final List<String> MIDDLE = List.of("b", "c");

  private static Stage stage;
  private static Stage direct;
  private static SegmentedChain chain;

  @BeforeAll
  static void open() throws Exception {
    LeakWatch.start();
    stage = Stage.open();
    direct = Stage.open();
    chain =
        SegmentedChain.open(
            Transport.best(), stage.address(), TestChain.defaults(), "a,b,z", "a,c,z");
  }

  @AfterAll
  static void nothingIsLeft() throws Exception {
    for (String relay : chain.names()) {
      settled(
          "nothing is held",
          () -> chain.control(relay).health(TestChain.PATIENCE).heldBytes() == 0);
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

  /** One pipe breaks after the other, at random moments. */
  @Tag("slow")
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isAsADirectConnectionWhilePipesBreak(long seed) throws Exception {
    Script script = RandomTurns.of(seed).script("seed " + seed);
    AtomicBoolean over = new AtomicBoolean();
    Thread breaker =
        Thread.ofVirtual()
            .start(() -> {
              SplittableRandom random = new SplittableRandom(seed);
              while (!over.get()) {
                chain.cut(MIDDLE.get(random.nextInt(2)));
                sleep(random.nextInt(50));
              }
            });
    try {
      play(script);
    } finally {
      over.set(true);
      breaker.join();
    }
  }

  private static void sleep(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void play(Script script) throws InterruptedException {
    Stage.Views wanted = direct.play(script, direct.address());
    Stage.Views views = stage.play(script, chain.ingressAddress());
    assertThat(views).as("over two pipes: " + script).isEqualTo(wanted);
    for (String relay : chain.names()) {
      settled(relay + " finishes", () -> isIdle(relay));
    }
  }

  /** A part that is just being installed again is not: its streams count again then. */
  private static boolean isIdle(String relay) {
    try {
      return chain.control(relay).show(chain.id(), TestChain.PATIENCE).totals().running() == 0;
    } catch (ProblemException e) {
      return false;
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
