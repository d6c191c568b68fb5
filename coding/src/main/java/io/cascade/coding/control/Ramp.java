package io.cascade.coding.control;

/**
 * Quick growth of a window that is far below its fair share: by an eighth a round up to a goal.
 * Where it is not known whether the others are CUBIC or Reno, it begins with a test. Two rounds
 * grow by a quarter, and where the window has become k times what it was, our share of the path is
 * (R'/R − 1)/(k − 1) if the others have grown by little meanwhile.
 */
final class Ramp {
  private static final double GROWTH = 1.125;
  private static final double TEST_GROWTH = 1.25;

  /** Two rounds of growth, then one until the last of them shows, at whose end the test ends. */
  private static final int TEST_ROUNDS = 4;

  /** A window that has grown less, as for want of data, tells nothing. */
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
   * @param halfway share between the two that a fall may have meant
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
   * @return whether it goes on
   */
  boolean goesOn() {
    testRounds--;
    return testRounds > 0;
  }

  /** The window in the next round of the test. */
  double testGrown(double window) {
    return testRounds > 1 ? TEST_GROWTH * window : window;
  }

  /** What the test has shown, at its end. */
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
