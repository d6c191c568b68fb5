package io.cascade.model.multipath;

import io.cascade.model.units.Require;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Amounts to send over each of several paths so that all are done at the same moment, the earliest
 * possible.
 *
 * <pre>
 * T = (8·S + Σ xⱼ·Lⱼ) / Σ xⱼ        over the paths with Lⱼ &lt; T
 * shareⱼ = xⱼ·(T − Lⱼ)               bits
 * </pre>
 *
 * <p>Paths are filled in the order of their latencies, like basins of different depth: a path is
 * used only if it would deliver something before the others are done without it. Worked value: 10
 * Mbit over 1 Mbit/s after 1 s and 4 Mbit/s after 2 s: T = (10 + 1 + 8)/5 = 3.8 s, shares 2.8 and
 * 7.2 Mbit.
 *
 * @param seconds when the last bit arrives
 * @param bits per path, in the order given; 0 for those that would only delay
 */
public record WaterFilling(double seconds, List<Double> bits) {

  /** Copies the list. */
  public WaterFilling {
    bits = List.copyOf(bits);
  }

  /**
   * A path to fill.
   *
   * @param bitsPerSecond x: its rate once it delivers
   * @param latencySeconds L: time that it takes beyond its bits at that rate; negative if its
   *     beginning is faster by more than its delays
   */
  public record Path(double bitsPerSecond, double latencySeconds) {

    /** Checks the values. */
    public Path {
      Require.positive("bitsPerSecond", bitsPerSecond);
      if (!Double.isFinite(latencySeconds)) {
        throw Require.outside("latencySeconds", latencySeconds, "finite");
      }
    }
  }

  /** The best division of {@code bytes}. */
  public static WaterFilling of(long bytes, List<Path> paths) {
    double bits = 8.0 * Require.atLeast("bytes", bytes, 1);
    if (paths.isEmpty()) {
      throw Require.outside("paths", paths, "at least one");
    }
    List<Integer> earliestFirst =
        IntStream.range(0, paths.size())
            .boxed()
            .sorted(Comparator.comparingDouble(path -> paths.get(path).latencySeconds()))
            .toList();
    double rate = 0;
    double weighted = 0;
    double finish = Double.POSITIVE_INFINITY;
    for (int number : earliestFirst) {
      Path path = paths.get(number);
      if (path.latencySeconds() >= finish) {
        break;
      }
      rate += path.bitsPerSecond();
      weighted += path.bitsPerSecond() * path.latencySeconds();
      finish = (bits + weighted) / rate;
    }
    List<Double> shares = new ArrayList<>();
    for (Path path : paths) {
      shares.add(path.bitsPerSecond() * Math.max(0, finish - path.latencySeconds()));
    }
    return new WaterFilling(finish, shares);
  }
}
