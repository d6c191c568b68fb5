package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.cascade.carriage.LeakWatch;
import io.cascade.relay.conformance.Relays.Way;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever two programs do, they see the same through relays as directly. Each seed is a script, a
 * mode and a number of relays; a failure is reduced to the simplest script that still fails.
 *
 * <p>For a long run: {@code -Dcascade.conformance.scripts=5000 -Dcascade.conformance.seed=1}.
 */
@Tag("slow")
class RandomScriptsTest {
  private static final List<RelayMode> MODES = RelayMode.all();

  private static Relays relays;
  private static Stage direct;

  static LongStream seeds() {
    long first = Long.getLong("cascade.conformance.seed", 1);
    return LongStream.range(first, first + Long.getLong("cascade.conformance.scripts", 60));
  }

  @BeforeAll
  static void start() throws Exception {
    LeakWatch.start();
    relays = new Relays();
    direct = Stage.open();
  }

  @AfterAll
  static void nothingIsLeft() throws Exception {
    assertThat(relays.heldBytes()).isZero();
    direct.close();
    relays.close();
    LeakWatch.assertNothingLeaks();
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isAsADirectConnection(long seed) throws Exception {
    RandomTurns turns = RandomTurns.of(seed);
    Script script = turns.script("seed " + seed);
    Way way = way(seed, script);
    String difference = difference(turns, way);
    if (!difference.isEmpty()) {
      RandomTurns simplest = turns.simplest(simpler -> !difference(simpler, way).isEmpty());
      fail(
          "through %s: %s%s%nreduced: %s%s",
          way,
          script,
          difference,
          simplest.script("seed " + seed + ", reduced"),
          difference(simplest, way));
    }
  }

  /**
   * Every mode has its turn, or the next one that plays the script; there is always one that holds
   * nothing back.
   */
  private static Way way(long seed, Script script) {
    RelayMode mode =
        LongStream.range(seed, seed + MODES.size())
            .mapToObj(turn -> MODES.get(Math.floorMod(turn, MODES.size())))
            .filter(each -> each.plays(script))
            .findFirst()
            .orElseThrow();
    return new Way(mode, 1 + new SplittableRandom(~seed).nextInt(Relays.MOST));
  }

  /** What is not the same; empty where all is, or where the script is not played. */
  private static String difference(RandomTurns turns, Way way) {
    Script script = turns.script("trial");
    if (!way.mode().plays(script)) {
      return "";
    }
    try {
      Stage.Views wanted = direct.play(script, direct.address());
      Stage.Views seen = relays.route(way).play(script);
      return seen.equals(wanted) ? "" : "%n directly: %s%n through it: %s".formatted(wanted, seen);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
