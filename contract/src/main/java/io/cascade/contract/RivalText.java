package io.cascade.contract;

/**
 * Compares a way through relays with one without that is better than the usual direct connection.
 */
public final class RivalText {
  /** Name of a direct connection with BBR. */
  public static final String BBR = "direct with bbr";

  /** Ways whose rates differ by less than this factor are equally fast. */
  private static final double PRACTICALLY_EQUAL = 1.02;

  private RivalText() {}

  /** Name of several direct connections that share the data. */
  public static String parallel(int connections) {
    return connections + " direct connections";
  }

  /**
   * Comparison such as {@code direct with bbr would be 2.6 times as fast as that}.
   *
   * @param gain rate through relays as a multiple of the rival's, &gt; 0
   * @param rival its name
   * @param relayed the way through relays, in a word
   */
  public static String of(double gain, String rival, String relayed) {
    if (gain * PRACTICALLY_EQUAL < 1) {
      return rival + " would be " + SpeedRatio.times(1 / gain) + " times as fast as " + relayed;
    }
    return gain > PRACTICALLY_EQUAL
        ? "about " + SpeedRatio.times(gain) + " times as fast as " + rival
        : "as fast as " + rival;
  }
}
