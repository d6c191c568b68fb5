package io.cascade.studies.rivals;

import io.cascade.links.LinkShape;
import io.cascade.studies.rivals.RivalPath.Hop;
import io.cascade.studies.rivals.RivalPath.Udp;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Draws paths from a seed. A path depends only on the seed and its number. */
final class PathDraw {
  static final double LEAST_MEGABITS = 10;
  static final double MOST_MEGABITS = 1_000;
  static final double LEAST_RTT_MILLIS = 5;
  static final double MOST_RTT_MILLIS = 300;
  static final double LEAST_LOSS = 1e-4;
  static final double MOST_LOSS = 0.03;
  static final double LEAST_QUEUE = 0.2;
  static final double MOST_QUEUE = 2;
  static final long LEAST_BYTES = 100_000;
  static final long MOST_BYTES = 1_000_000_000;
  static final int MOST_RELAYS = 3;

  /** Upper limit of the seconds that the bottleneck needs for the file. */
  static final double MOST_SECONDS = 20;

  private static final long LEAST_QUEUE_BYTES = 15_000;
  private static final double MOST_BURST = 10;
  private static final double WITHOUT_LOSS = 0.25;
  private static final double SINGLE_LOSSES = 0.65;
  private static final double FASTER = 3;
  private static final double UDP_FREE = 0.5;
  private static final double UDP_BLOCKED = 0.75;

  /** Rate of UDP that a policed path admits, as a share of the bottleneck's rate. */
  private static final double UDP_SHARE = 0.2;

  private PathDraw() {}

  /** The place of the slowest link. */
  private enum Bottleneck {
    CLIENT,
    MIDDLE,
    SERVER
  }

  /**
   * @param count 0 or more
   */
  static List<RivalPath> paths(int count, long seed) {
    return IntStream.rangeClosed(1, count).mapToObj(number -> path(number, seed)).toList();
  }

  private static RivalPath path(int number, long seed) {
    // Mixes the seed: generators with neighbouring seeds yield similar numbers.
    SplittableRandom random = new SplittableRandom(1_000_003 * seed + number);
    double megabits = geometric(LEAST_MEGABITS, MOST_MEGABITS, random);
    double rttMillis = geometric(LEAST_RTT_MILLIS, MOST_RTT_MILLIS, random);
    double kind = random.nextDouble();
    double someLoss = geometric(LEAST_LOSS, MOST_LOSS, random);
    double loss = kind < WITHOUT_LOSS ? 0 : someLoss;
    double someBurst = 2 + (MOST_BURST - 2) * random.nextDouble();
    double burst = kind < SINGLE_LOSSES ? 1 : someBurst;
    double queue = geometric(LEAST_QUEUE, MOST_QUEUE, random);
    Bottleneck bottleneck = Bottleneck.values()[random.nextInt(Bottleneck.values().length)];
    int relays = random.nextInt(MOST_RELAYS + 1);
    int links = Math.max(relays + 1, bottleneck == Bottleneck.MIDDLE ? 3 : 2);
    long bytes =
        Math.min(
            Math.round(geometric(LEAST_BYTES, MOST_BYTES, random)),
            Math.round(megabits * 1e6 / 8 * MOST_SECONDS));
    double filter = random.nextDouble();
    Udp udp = filter < UDP_FREE ? Udp.FREE : filter < UDP_BLOCKED ? Udp.BLOCKED : Udp.POLICED;
    int slow =
        switch (bottleneck) {
          case CLIENT -> 0;
          case MIDDLE -> links == 3 ? 1 : 1 + random.nextInt(links - 2);
          case SERVER -> links - 1;
        };
    return new RivalPath(
        "seed %d path %d".formatted(seed, number),
        1_000 * seed + number,
        bytes,
        udp,
        udp == Udp.POLICED ? round(UDP_SHARE * megabits) : 0,
        hops(random, links, relays, slow, megabits, rttMillis, loss, burst, queue));
  }

  private static List<Hop> hops(
      SplittableRandom random,
      int links,
      int relays,
      int slow,
      double megabits,
      double rttMillis,
      double loss,
      double burst,
      double queue) {
    List<Double> places = new ArrayList<>(random.doubles(links - 1L).sorted().boxed().toList());
    places.add(1.0);
    // If not every site between the ends has a relay, the sites with relays are drawn.
    List<Integer> between = new ArrayList<>(IntStream.range(0, links - 1).boxed().toList());
    Collections.shuffle(between, random);
    List<Integer> relayed = between.subList(0, relays);
    // The whole loss is on one link as often as it is divided over the path.
    int lossy = random.nextBoolean() ? random.nextInt(links) : -1;
    double faster = Math.min(FASTER * megabits, MOST_MEGABITS);
    List<Hop> hops = new ArrayList<>();
    double from = 0;
    for (int i = 0; i < links; i++) {
      double share = places.get(i) - from;
      double rate = round(i == slow ? megabits : faster);
      hops.add(
          new Hop(
              i == links - 1 ? RivalPath.SERVER : "s" + (i + 1),
              relayed.contains(i),
              round(rttMillis * share),
              rate,
              lossy < 0 ? 1 - Math.pow(1 - loss, share) : i == lossy ? loss : 0,
              burst,
              i == slow
                  ? Math.max(
                      LEAST_QUEUE_BYTES, Math.round(queue * rate * 1e6 / 8 * rttMillis / 1e3))
                  : LinkShape.bandwidthDelayBytes(
                      Duration.ofNanos(Math.round(rttMillis * 1e6)), Math.round(rate * 1e6))));
      from = places.get(i);
    }
    return hops;
  }

  private static double geometric(double least, double most, SplittableRandom random) {
    return least * Math.pow(most / least, random.nextDouble());
  }

  private static double round(double value) {
    return Math.round(10 * value) / 10.0;
  }
}
