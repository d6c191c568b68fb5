package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/** Capacity of a link, in bit/s on the wire, as far as it is known. */
public sealed interface Capacity {

  /** A described network that says nothing of it: no bound is meant. */
  record Unlimited() implements Capacity {}

  /**
   * The operator said it, or a measurement filled the link.
   *
   * @param bitsPerSecond on the wire, &gt; 0
   * @param deviation standard deviation of its logarithm; 0 where it was said, &gt; 0 where it was
   *     measured
   */
  record Known(double bitsPerSecond, double deviation) implements Capacity {
    /** Checks the values. */
    public Known {
      Require.positive("bitsPerSecond", bitsPerSecond);
      Require.notNegative("deviation", deviation);
    }

    /** A capacity that was said. */
    public Known(double bitsPerSecond) {
      this(bitsPerSecond, 0);
    }
  }

  /**
   * The highest rate that was seen to pass; what the link carries beyond it nobody knows.
   *
   * @param bitsPerSecond on the wire; 0 where nothing was seen
   */
  record AtLeast(double bitsPerSecond) implements Capacity {
    /** Checks the rate. */
    public AtLeast {
      Require.notNegative("bitsPerSecond", bitsPerSecond);
    }
  }

  /** The capacity where it is known. */
  default OptionalDouble known() {
    return this instanceof Known(double rate, _) ? OptionalDouble.of(rate) : OptionalDouble.empty();
  }

  /** The standard deviation of its logarithm; 0 where it is not known, or was said. */
  default double deviation() {
    return this instanceof Known(_, double deviation) ? deviation : 0;
  }

  /** Whether neither a rate was seen nor anybody said one. */
  default boolean isUnseen() {
    return this instanceof AtLeast(double rate) && rate == 0;
  }
}
