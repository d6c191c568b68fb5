package io.cascade.client.estimate;

import io.cascade.command.BitRate;
import io.cascade.command.DataSize;
import io.cascade.command.TimeSpan;
import io.cascade.model.estimate.EstimateRequest;
import io.cascade.model.uncertainty.Interval;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Parameter that a sweep can vary, with its values as numbers in a base unit. */
public enum Dimension {
  /** Round-trip time, in seconds. */
  RTT("round-trip time [ms]", 1e3) {
    @Override
    Interval value(String text) {
      return Interval.exactly(TimeSpan.parse(text).seconds());
    }
  },
  /** Loss probability, exact or counted. */
  LOSS("loss [%]", 1e2) {
    @Override
    Interval value(String text) {
      return LossText.parse(text).probability();
    }
  },
  /** Capacity, in bits per second. */
  CAPACITY("capacity [Mbit/s]", 1e-6) {
    @Override
    Interval value(String text) {
      return Interval.exactly((double) BitRate.parse(text).bitsPerSecond());
    }
  },
  /** Length of the transfer. */
  BYTES("transfer [MB]", 1e-6) {
    @Override
    Interval value(String text) {
      return Interval.exactly((double) DataSize.parse(text).bytes());
    }
  },
  /** Relays that divide the path into equal hops. */
  RELAYS("relays", 1) {
    @Override
    Interval value(String text) {
      if (text.matches("[0-9]{1,2}") && Integer.parseInt(text) <= EstimateRequest.MOST_HOPS - 1) {
        return Interval.exactly(Integer.parseInt(text));
      }
      throw new IllegalArgumentException(
          "'"
              + text
              + "' (expected: a number of relays, 0.."
              + (EstimateRequest.MOST_HOPS - 1)
              + ")");
    }
  };

  private final String axis;
  private final double perUnit;

  Dimension(String axis, double perUnit) {
    this.axis = axis;
    this.perUnit = perUnit;
  }

  /** Parses a value in a user's notation. */
  abstract Interval value(String text);

  /** Name in a sweep, such as {@code rtt}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Title of a chart's axis, with its unit. */
  String axis() {
    return axis;
  }

  /** Whether only whole values exist. */
  boolean isWhole() {
    return this == BYTES || this == RELAYS;
  }

  /** A value in the axis's unit. */
  double onAxis(Interval value) {
    return value.likely() * perUnit;
  }

  /** A value with its name and unit: {@code loss 0.1 %}. */
  String label(Interval value) {
    String number = Figures.shortest(onAxis(value), 4);
    int unit = axis.indexOf('[');
    return this == RELAYS
        ? number + (value.likely() == 1 ? " relay" : " relays")
        : (this == RTT ? "RTT" : axis.substring(0, unit).strip())
            + " "
            + number
            + " "
            + axis.substring(unit + 1, axis.length() - 1);
  }

  static Optional<Dimension> named(String name) {
    return Arrays.stream(values()).filter(one -> one.title().equals(name)).findFirst();
  }

  static String titles() {
    return Arrays.stream(values()).map(Dimension::title).collect(Collectors.joining(", "));
  }
}
