package io.cascade.model.cascade;

import io.cascade.model.units.Require;
import java.util.Comparator;
import java.util.List;

/**
 * When a transfer that is split over several ways at once ends, if every way gets the share with
 * which all end together.
 *
 * <pre>
 * T = (8·S + Σ xⱼLⱼ) / Σ xⱼ        over the ways with Lⱼ &lt; T
 * </pre>
 *
 * <p>Water-filling: a way delivers xⱼ(T − Lⱼ) bits by T; the least T by which all deliver S. A way
 * whose delay is beyond that is left out. No other split ends earlier, and a round robin that
 * ignores delays ends later.
 *
 * <p>Worked value: 1 MB over 8 Mbit/s with 0.1 s and 8 Mbit/s with 0.3 s: T = (8 + 0.8 + 2.4)/16 =
 * 0.7 s, of which the ways carry 600 and 400 kB.
 *
 * @param ways at least one
 */
public record SplitTransfer(List<Way> ways) {

  /**
   * One of the ways.
   *
   * @param delaySeconds L, from the start until the rate's first byte would have arrived: set-up,
   *     fill, and what slow start costs; finite
   * @param bitsPerSecond x, the rate afterwards; greater than zero and finite
   */
  public record Way(double delaySeconds, double bitsPerSecond) {
    /** Checks both. */
    public Way {
      Require.notNegative("delaySeconds", delaySeconds);
      Require.positive("bitsPerSecond", bitsPerSecond);
    }
  }

  /** Checks that there is a way. */
  public SplitTransfer {
    ways = List.copyOf(ways);
    if (ways.isEmpty()) {
      throw Require.outside("ways", ways, "at least one");
    }
  }

  /** T for {@code bytes}. */
  public double seconds(long bytes) {
    Require.atLeast("bytes", bytes, 1);
    List<Way> byDelay =
        ways.stream().sorted(Comparator.comparingDouble(Way::delaySeconds)).toList();
    double bits = 8.0 * bytes;
    double rates = 0;
    double seconds = Double.POSITIVE_INFINITY;
    for (Way way : byDelay) {
      if (way.delaySeconds() >= seconds) {
        break;
      }
      rates += way.bitsPerSecond();
      bits += way.bitsPerSecond() * way.delaySeconds();
      seconds = bits / rates;
    }
    return seconds;
  }

  /**
   * What each way carries of {@code bytes}, in the ways' order; 0 for a way that comes too late.
   */
  public List<Double> bytesPerWay(long bytes) {
    double seconds = seconds(bytes);
    return ways.stream()
        .map(way -> Math.max(0, way.bitsPerSecond() * (seconds - way.delaySeconds()) / 8))
        .toList();
  }
}
