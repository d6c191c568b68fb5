package io.cascade.model.planning;

import io.cascade.model.units.Require;
import java.util.OptionalDouble;

/** Capacity of a link, in bit/s on the wire, as far as it is known. */
public sealed interface Capacity {

  /** A described network that does not state it: unlimited. */
  record Unlimited() implements Capacity {}

  /**
   * The operator stated it, or a measurement filled the link.
   *
   * @param bitsPerSecond on the wire, &gt; 0
   * @param deviation standard deviation of its logarithm; 0 if it was stated, &gt; 0 if it was
   *     measured
   */
  record Known(double bitsPerSecond, double deviation) implements Capacity {
    /** Checks the values. */
    public Known {
      Require.positive("bitsPerSecond", bitsPerSecond);
      Require.notNegative("deviation", deviation);
    }

    /** A capacity that was stated. */
    public Known(double bitsPerSecond) {
      this(bitsPerSecond, 0);
    }
  }

  /**
   * The highest observed rate; what the link carries beyond it is unknown.
   *
   * @param bitsPerSecond on the wire; 0 if nothing was observed
   */
  record AtLeast(double bitsPerSecond) implements Capacity {
    /** Checks the rate. */
    public AtLeast {
      Require.notNegative("bitsPerSecond", bitsPerSecond);
    }
  }

  /** The capacity; empty if it is unknown. */
  default OptionalDouble known() {
    return this instanceof Known(double rate, _) ? OptionalDouble.of(rate) : OptionalDouble.empty();
  }

  /** The standard deviation of its logarithm; 0 if it is unknown, or was stated. */
  default double deviation() {
    return this instanceof Known(_, double deviation) ? deviation : 0;
  }

  /** Whether no rate was observed and none was stated. */
  default boolean isUnseen() {
    return this instanceof AtLeast(double rate) && rate == 0;
  }
}
