package io.cascade.lab.demo;

import java.util.List;
import java.util.Locale;

/**
 * Results of the demonstration, as in its JSON document.
 *
 * @param network the path, in words
 * @param decision of a plan that was made before either transfer began
 * @param plain one plain TCP connection with the host's congestion control, directly
 * @param chosen {@code cascade send} with its own choice
 * @param gain rate of {@code cascade send} relative to the plain connection
 * @param linkShare rate of {@code cascade send} relative to the slowest link
 * @param held whether every check did
 */
record DemoReport(
    String network,
    long seed,
    long bytes,
    String decision,
    Way plain,
    Way chosen,
    double gain,
    double linkShare,
    String dashboard,
    List<Check> checks,
    boolean held) {
  /** Least rate of {@code send} relative to the plain connection. */
  static final double LEAST_GAIN = 0.95;

  /** Ratio below which a difference is negligible. */
  private static final double NEXT_TO_NONE = 1.05;

  /**
   * One of the two transfers.
   *
   * @param route DIRECT or CASCADE
   * @param seconds from the first byte to the receiver's answer
   */
  record Way(
      String route,
      List<String> relays,
      String why,
      double seconds,
      double bitsPerSecond,
      String sha256Sent,
      String sha256Received) {
    static Way of(Transfer.Sent sent, Transfer.Received received) {
      return new Way(
          sent.route(),
          sent.relays(),
          sent.why(),
          sent.seconds(),
          sent.bitsPerSecond(),
          sent.sha256(),
          received.sha256());
    }
  }

  /**
   * @param sha256 of the file, computed independently of sender and receiver
   */
  static DemoReport of(
      String network,
      long seed,
      long bytes,
      String sha256,
      String decision,
      Way plain,
      Way chosen,
      double linkBitsPerSecond,
      String dashboard) {
    double gain = plain.seconds() / chosen.seconds();
    List<Check> checks =
        List.of(
            new Check("plain TCP: the receiver has the file's SHA-256", same(sha256, plain)),
            new Check("cascade send: the receiver has the file's SHA-256", same(sha256, chosen)),
            new Check(
                "cascade send: at least " + LEAST_GAIN + " times as fast as plain TCP",
                gain >= LEAST_GAIN));
    return new DemoReport(
        network,
        seed,
        bytes,
        decision,
        plain,
        chosen,
        gain,
        chosen.bitsPerSecond() / linkBitsPerSecond,
        dashboard,
        checks,
        checks.stream().allMatch(Check::held));
  }

  private static boolean same(String sha256, Way way) {
    return way.sha256Sent().equals(sha256) && way.sha256Received().equals(sha256);
  }

  /** The result in one sentence. */
  String sentence() {
    String outcome =
        gain >= NEXT_TO_NONE
            ? times(gain) + " as fast as one plain TCP connection"
            : gain >= LEAST_GAIN
                ? "as fast as one plain TCP connection"
                : "SLOWER than one plain TCP connection: " + times(gain) + " as fast";
    return "cascade send was %s, and filled %.0f %% of the link."
        .formatted(outcome, 100 * linkShare);
  }

  private static String times(double value) {
    return number(value) + " times";
  }

  private static String number(double value) {
    String form = value >= 100 ? "%.0f" : value >= 0.1 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, form, value);
  }
}
