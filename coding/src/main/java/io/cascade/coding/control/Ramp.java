package io.cascade.coding.control;

/**
 * Fast growth of a window that is far below its fair share: by an eighth per round up to a goal. If
 * it is unknown whether the others use CUBIC or Reno, it begins with a test. Two rounds grow by a
 * quarter each. If the window has then grown by the factor k, this sender's share of the path is
 * (R'/R − 1)/(k − 1), provided that the others have grown little meanwhile.
 */
final class Ramp {
  private static final double GROWTH = 1.125;
  private static final double TEST_GROWTH = 1.25;

  /** Two rounds of growth, then one until the last of them shows; the test ends after it. */
  private static final int TEST_ROUNDS = 4;

  /** A window that has grown less, for example for lack of data, gives no result. */
  private static final double LEAST_TEST_GROWTH = 1.2;

  private boolean running;
  private double goal;
  private int testRounds;
  private double testWindow;
  private double testRoundTrip;
  private double testShare;

  /** Result of a test. */
  enum Tested {
    NOTHING,
    SHARE_IS_SMALL,
    SHARE_IS_NOT_SMALL
  }

  void begin(double goalPackets) {
    running = true;
    goal = goalPackets;
    testRounds = 0;
  }

  /**
   * Begins with a test.
   *
   * @param halfway share between the two possible explanations of a fall
   */
  void beginTest(double goalPackets, double window, double roundTripNanos, double halfway) {
    begin(goalPackets);
    testRounds = TEST_ROUNDS;
    testWindow = window;
    testRoundTrip = roundTripNanos;
    testShare = halfway;
  }

  void end() {
    running = false;
    testRounds = 0;
  }

  boolean isRunning() {
    return running;
  }

  boolean isTesting() {
    return testRounds > 0;
  }

  /** Window before the test. */
  double testWindow() {
    return testWindow;
  }

  /**
   * Ends a round of a test.
   *
   * @return whether the test continues
   */
  boolean goesOn() {
    testRounds--;
    return testRounds > 0;
  }

  /** The window in the next round of the test. */
  double testGrown(double window) {
    return testRounds > 1 ? TEST_GROWTH * window : window;
  }

  /** Ends the test and returns its result. */
  Tested result(double window, double roundTripNanos) {
    testRounds = 0;
    double growth = window / testWindow;
    if (growth <= LEAST_TEST_GROWTH) {
      return Tested.NOTHING;
    }
    double share = (roundTripNanos / testRoundTrip - 1) / (growth - 1);
    return share > testShare ? Tested.SHARE_IS_NOT_SMALL : Tested.SHARE_IS_SMALL;
  }

  /** The window after one more round; ends at the goal. */
  double grown(double window) {
    running = GROWTH * window <= goal;
    return running ? GROWTH * window : Math.max(window, goal);
  }
}
