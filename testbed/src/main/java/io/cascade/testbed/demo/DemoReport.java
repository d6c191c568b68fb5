package io.cascade.testbed.demo;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the demonstration saw, as its JSON document has it.
 *
 * @param network the path, in words
 * @param predicted by a plan that was made before either transfer began
 * @param gain how many times as fast as direct Cascade's own choice was
 * @param held whether every check did
 */
record DemoReport(
    String network,
    long seed,
    long bytes,
    Prediction predicted,
    Way direct,
    Way chosen,
    double gain,
    String dashboard,
    List<Check> checks,
    boolean held) {
  /** Share of the direct rate that its own choice must reach. */
  static final double LEAST_GAIN = 0.95;

  /** A difference that nobody would notice. */
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

  /** Something that must hold. */
  record Check(String what, boolean held) {}

  /**
   * @param sha256 of the file, as neither sender nor receiver computed it
   */
  static DemoReport of(
      String network,
      long seed,
      long bytes,
      String sha256,
      Prediction predicted,
      Way direct,
      Way chosen,
      String dashboard) {
    double gain = direct.seconds() / chosen.seconds();
    List<Check> checks =
        List.of(
            new Check("direct: the receiver has the file's SHA-256", same(sha256, direct)),
            new Check("own choice: the receiver has the file's SHA-256", same(sha256, chosen)),
            new Check(
                "own choice: at least " + LEAST_GAIN + " times as fast as direct",
                gain >= LEAST_GAIN));
    return new DemoReport(
        network,
        seed,
        bytes,
        predicted,
        direct,
        chosen,
        gain,
        dashboard,
        checks,
        checks.stream().allMatch(Check::held));
  }

  private static boolean same(String sha256, Way way) {
    return way.sha256Sent().equals(sha256) && way.sha256Received().equals(sha256);
  }

  /** The outcome in one sentence. */
  String sentence() {
    String way =
        chosen.relays().isEmpty()
            ? "mostly directly"
            : "through " + String.join(" and ", chosen.relays());
    String outcome =
        gain >= NEXT_TO_NONE
            ? times(gain) + " as fast as direct"
            : gain >= LEAST_GAIN
                ? "as fast as direct"
                : "SLOWER than direct: " + times(gain) + " as fast";
    return "Cascade's own choice, %s, was %s; %s.".formatted(way, outcome, prediction());
  }

  private String prediction() {
    @Nullable Double times = predicted.times();
    @Nullable Double low = predicted.low();
    @Nullable Double high = predicted.high();
    if (times == null || low == null || high == null) {
      return "there was no prediction";
    }
    return "predicted "
        + times(times)
        + ", "
        + number(low)
        + " to "
        + number(high)
        + " ("
        + predicted.decision()
        + ")";
  }

  private static String times(double value) {
    return number(value) + " times";
  }

  private static String number(double value) {
    String form = value >= 100 ? "%.0f" : value >= 0.1 ? "%.1f" : "%.3f";
    return String.format(Locale.ROOT, form, value);
  }
}
