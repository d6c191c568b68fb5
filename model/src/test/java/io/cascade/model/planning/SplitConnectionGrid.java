package io.cascade.model.planning;

import io.cascade.model.cascade.Hop;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.units.Rate;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a published study of split connections, and what this model says of each.
 *
 * <p>Yuan, Rossman and Winstein, "Internet connection splitting: what's old is new again", USENIX
 * ATC 2025, section 5: two path segments with one-way delays of 1, 20, 40, 60, 80, 100 ms, losses
 * of 0 to 4 % and rates of 10 to 50 Mbit/s, in every combination whose delays add up to 100 ms at
 * most (1 ms beside another delay counts as none) and whose losses add up to 4 % at most: 21·15·25
 * = 7,875. Of these 525 have no loss at all. The study measured single segments and took a split
 * connection to run at its slower segment's rate, and the unsplit one at that of a segment with
 * both delays, both losses and the smaller rate.
 */
final class SplitConnectionGrid {

  /** Settings in which the study found CUBIC at least three times as fast when split. */
  static final int PUBLISHED_CUBIC_THREEFOLD = 2231;

  /** The same for BBR version 3. */
  static final int PUBLISHED_BBR_V3_THREEFOLD = 234;

  /** Settings in which it found BBR version 1 more than half as fast again when split. */
  static final int PUBLISHED_BBR_ONE_AND_A_HALF_FOLD = 0;

  private static final int[] DELAYS_MILLIS = {1, 20, 40, 60, 80, 100};
  private static final int MOST_DELAY_MILLIS = 100;
  private static final int MOST_LOSS_PERCENT = 4;
  private static final int[] RATES_MEGABITS = {10, 20, 30, 40, 50};

  private SplitConnectionGrid() {}

  /** One part of a path. */
  record Segment(int delayMillis, int lossPercent, int megabits) {

    Segment then(Segment other) {
      boolean besideNone = delayMillis == 1 || other.delayMillis == 1;
      return new Segment(
          delayMillis + other.delayMillis - (besideNone ? 1 : 0),
          lossPercent + other.lossPercent,
          Math.min(megabits, other.megabits));
    }

    double bitsPerSecond(CongestionControl control) {
      return Hop.of(2e-3 * delayMillis, lossPercent / 100.0)
          .withCapacity(Rate.ofMegabits(megabits))
          .withCongestionControl(control)
          .steadyRate()
          .bitsPerSecond();
    }
  }

  /** Two segments with a relay between them. */
  record Setting(Segment first, Segment second) {

    /** Split rate over unsplit rate, both in their steady state. */
    double gain(CongestionControl control) {
      return Math.min(first.bitsPerSecond(control), second.bitsPerSecond(control))
          / first.then(second).bitsPerSecond(control);
    }

    /** Whether packets are lost anywhere. */
    boolean isLossy() {
      return first.lossPercent + second.lossPercent > 0;
    }
  }

  /** All 7,875. */
  static List<Setting> settings() {
    List<Segment> segments = new ArrayList<>();
    for (int delay : DELAYS_MILLIS) {
      for (int loss = 0; loss <= MOST_LOSS_PERCENT; loss++) {
        for (int rate : RATES_MEGABITS) {
          segments.add(new Segment(delay, loss, rate));
        }
      }
    }
    List<Setting> settings = new ArrayList<>();
    for (Segment first : segments) {
      for (Segment second : segments) {
        Segment whole = first.then(second);
        if (whole.delayMillis() <= MOST_DELAY_MILLIS && whole.lossPercent() <= MOST_LOSS_PERCENT) {
          settings.add(new Setting(first, second));
        }
      }
    }
    return settings;
  }

  /** Number of settings in which splitting gains at least this factor. */
  static long atLeast(double gain, CongestionControl control) {
    return settings().stream().filter(setting -> setting.gain(control) >= gain).count();
  }

  /** Number of settings in which splitting gains more than this factor. */
  static long moreThan(double gain, CongestionControl control) {
    return settings().stream().filter(setting -> setting.gain(control) > gain).count();
  }
}
