package io.cascade.studies.measured;

import io.cascade.studies.measured.EmulatedPath.Bottleneck;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.EmulatedPath.Layout;
import io.cascade.studies.measured.EmulatedPath.LossAt;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Draws paths by Latin hypercubes (McKay, Beckman and Conover, Technometrics 21, 1979) of {@value
 * #BLOCK}: in each block every factor takes each of {@value #BLOCK} equal shares of its range once.
 * A seed always yields the same paths, and a shorter list is the beginning of a longer one.
 */
final class PathGenerator {
  static final int BLOCK = 40;

  private static final double LEAST_MEGABITS = 10;
  private static final double MOST_MEGABITS = 100;
  private static final double LEAST_RTT_MILLIS = 20;
  private static final double MOST_RTT_MILLIS = 250;
  private static final double LEAST_LOSS = 1e-4;
  private static final double MOST_LOSS = 0.02;
  private static final double WITHOUT_LOSS = 0.15;
  private static final double SINGLE_LOSSES = 0.6;
  private static final double LOSS_BOTH_WAYS = 0.7;
  private static final int MOST_BURST = 10;
  private static final double MOST_DETOUR = 1.5;
  private static final double LEAST_GAP = 0.05;

  /** Factors with one column of a block each; the places use the rest. */
  enum Factor {
    CONTROL,
    RATE,
    RTT,
    LOSS,
    BURST,
    BOTH_WAYS,
    LOSS_AT,
    RELAYS,
    SPREAD,
    LAYOUT,
    DETOUR,
    DETOUR_LOSS,
    BOTTLENECK,
    ENDS
  }

  private PathGenerator() {}

  /**
   * @param count at least 1
   */
  static List<EmulatedPath> paths(int count, long seed) {
    List<EmulatedPath> paths = new ArrayList<>();
    for (int block = 0; paths.size() < count; block++) {
      Random random = new Random(31 * seed + block);
      List<Map<Factor, Double>> rows = hypercube(random);
      for (int i = 0; i < BLOCK && paths.size() < count; i++) {
        paths.add(path(paths.size() + 1, seed, rows.get(i), random));
      }
    }
    return List.copyOf(paths);
  }

  /** A row for each path, with a number from 0 (inclusive) to 1 (exclusive) for each factor. */
  static List<Map<Factor, Double>> hypercube(Random random) {
    List<Map<Factor, Double>> rows = new ArrayList<>();
    for (int i = 0; i < BLOCK; i++) {
      rows.add(new EnumMap<>(Factor.class));
    }
    for (Factor factor : Factor.values()) {
      List<Integer> order = new ArrayList<>(IntStream.range(0, BLOCK).boxed().toList());
      Collections.shuffle(order, random);
      for (int i = 0; i < BLOCK; i++) {
        rows.get(i).put(factor, (order.get(i) + random.nextDouble()) / BLOCK);
      }
    }
    return rows;
  }

  private static double share(Map<Factor, Double> shares, Factor factor) {
    return Objects.requireNonNull(shares.get(factor));
  }

  private static EmulatedPath path(
      int number, long seed, Map<Factor, Double> shares, Random random) {
    int control = (int) (4 * share(shares, Factor.CONTROL));
    double loss = share(shares, Factor.LOSS);
    double burst = share(shares, Factor.BURST);
    double place = share(shares, Factor.LOSS_AT);
    double bottleneck = share(shares, Factor.BOTTLENECK);
    return new EmulatedPath(
        number,
        1_000 * seed + number,
        List.of("reno", "cubic", "bbr", "cubic").get(control),
        List.of("reno", "cubic", "bbr", "bbr").get(control),
        round(geometric(LEAST_MEGABITS, MOST_MEGABITS, share(shares, Factor.RATE))),
        round(geometric(LEAST_RTT_MILLIS, MOST_RTT_MILLIS, share(shares, Factor.RTT))),
        loss < WITHOUT_LOSS
            ? 0
            : geometric(LEAST_LOSS, MOST_LOSS, (loss - WITHOUT_LOSS) / (1 - WITHOUT_LOSS)),
        burst < SINGLE_LOSSES
            ? 1
            : round(2 + (MOST_BURST - 2) * (burst - SINGLE_LOSSES) / (1 - SINGLE_LOSSES)),
        share(shares, Factor.BOTH_WAYS) < LOSS_BOTH_WAYS,
        place < 0.5 ? LossAt.EVENLY : place < 0.75 ? LossAt.FIRST_LINK : LossAt.LAST_LINK,
        share(shares, Factor.LAYOUT) < 0.5 ? Layout.ON_PATH : Layout.OFF_PATH,
        1 + (MOST_DETOUR - 1) * share(shares, Factor.DETOUR),
        share(shares, Factor.DETOUR_LOSS),
        bottleneck < 0.4
            ? Bottleneck.NONE
            : bottleneck < 0.7 ? Bottleneck.CLIENT : Bottleneck.SERVER,
        share(shares, Factor.ENDS) < 0.5 ? Ends.BARE : Ends.RELAYS,
        places(
            1 + (int) (3 * share(shares, Factor.RELAYS)),
            (int) (4 * share(shares, Factor.SPREAD)),
            random));
  }

  /** Places with equal distances, near the client, near the server, or anywhere. */
  private static List<Double> places(int relays, int spread, Random random) {
    List<Double> anywhere = random.doubles(relays).sorted().boxed().toList();
    List<Double> places = new ArrayList<>();
    for (int i = 0; i < relays; i++) {
      double even = (i + 1.0) / (relays + 1);
      double room = 1 - LEAST_GAP * (relays + 1);
      places.add(
          switch (spread) {
            case 0 -> even;
            case 1 -> 0.4 * even;
            case 2 -> 0.6 + 0.4 * even;
            default -> LEAST_GAP * (i + 1) + room * anywhere.get(i);
          });
    }
    return places;
  }

  private static double geometric(double least, double most, double share) {
    return least * Math.pow(most / least, share);
  }

  private static double round(double value) {
    return Math.round(10 * value) / 10.0;
  }
}
