package io.cascade.model.planning;

/**
 * Price of moving data over a way, in the topology's currency.
 *
 * @param trafficPerGibibyte of payload, over all links of the way
 * @param relaysPerHour of all its relays together
 * @param perGibibyte effective price of a delivered GiB at the likely rate: traffic, and the
 *     relays' hours for the time of a GiB; infinite if nothing is delivered
 * @param total of the whole transfer; of an unlimited stream per hour; infinite if nothing is
 *     delivered or, for a stream with paid traffic, nothing known limits its rate
 */
public record Price(
    double trafficPerGibibyte, double relaysPerHour, double perGibibyte, double total) {

  private static final double GIBIBYTE = 1L << 30;
  private static final double SECONDS_PER_HOUR = 3600;

  /** Price of a transfer of {@code bytes} that takes {@code seconds}. */
  static Price ofTransfer(
      double trafficPerGibibyte, double relaysPerHour, double bytes, double seconds) {
    double total =
        trafficPerGibibyte * bytes / GIBIBYTE + hours(relaysPerHour, seconds / SECONDS_PER_HOUR);
    return new Price(trafficPerGibibyte, relaysPerHour, total * GIBIBYTE / bytes, total);
  }

  /** Price of a stream that runs at {@code bitsPerSecond}. */
  static Price ofStream(double trafficPerGibibyte, double relaysPerHour, double bitsPerSecond) {
    double gibibytesPerHour = bitsPerSecond / 8 * SECONDS_PER_HOUR / GIBIBYTE;
    return new Price(
        trafficPerGibibyte,
        relaysPerHour,
        trafficPerGibibyte + hours(relaysPerHour, 1 / gibibytesPerHour),
        relaysPerHour + (trafficPerGibibyte == 0 ? 0 : trafficPerGibibyte * gibibytesPerHour));
  }

  private static double hours(double perHour, double hours) {
    return perHour == 0 ? 0 : perHour * hours;
  }
}
