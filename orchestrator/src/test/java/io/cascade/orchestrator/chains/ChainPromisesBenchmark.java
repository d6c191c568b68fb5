package io.cascade.orchestrator.chains;

import io.cascade.orchestrator.planning.PromisedCapacity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The time that open chains add to a plan: what all of them were promised, and one look-up for each
 * of 100 relays and each of the 9,900 links between them.
 *
 * <p>Goal: beside 1,000 open chains at most 20 ms more than beside none. It is no part of the tests
 * and asserts nothing. Run it with
 *
 * <pre>
 * mvn -pl orchestrator -am test -Dtest=ChainPromisesBenchmark -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 */
class ChainPromisesBenchmark {
  private static final int RELAYS = 100;
  private static final int PLANS = 200;

  /** Prints the median and the slowest of 200 plans, after as many that are not counted. */
  @Test
  void openChainsBesideAPlan() {
    for (int chains : new int[] {0, 100, 1_000}) {
      List<Chain> open = open(chains);
      double[] millis = new double[PLANS];
      double sum = 0;
      for (int plan = -PLANS; plan < PLANS; plan++) {
        long begin = System.nanoTime();
        sum += lookUp(open);
        millis[Math.max(0, plan)] = (System.nanoTime() - begin) / 1e6;
      }
      Arrays.sort(millis);
      System.out.printf(
          "%d chains: %.2f ms in the median, %.2f at most (%.0f bit/s)%n",
          chains, millis[PLANS / 2], millis[PLANS - 1], sum / PLANS / 2);
    }
  }

  private static double lookUp(List<Chain> open) {
    PromisedCapacity promised = ChainPromises.of(open);
    double sum = 0;
    for (int from = 0; from < RELAYS; from++) {
      sum += promised.of(name(from));
      for (int to = 0; to < RELAYS; to++) {
        if (from != to) {
          sum += promised.of(name(from), name(to));
        }
      }
    }
    return sum;
  }

  private static List<Chain> open(int chains) {
    Random random = new Random(1);
    List<Chain> open = new ArrayList<>();
    for (int i = 0; i < chains; i++) {
      String[] relays =
          random
              .ints(0, RELAYS)
              .distinct()
              .limit(3)
              .mapToObj(ChainPromisesBenchmark::name)
              .toArray(String[]::new);
      open.add(ChainPromisesTest.chain(1e6, relays));
    }
    return open;
  }

  private static String name(int relay) {
    return "relay-" + relay;
  }
}
