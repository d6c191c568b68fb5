package io.cascade.coding.control;

import io.cascade.coding.loss.BaseLoss;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Losses of rounds by the length of the queue at that time. Once the queue becomes clearly longer
 * than at a level, it did not overflow there, so losses at that level were the path's own. Levels
 * are 5 % apart, so that a queue that grows little per round also counts.
 */
final class LossAtLevels {
  private static final double STEP = 1.05;

  /** Levels range from 0.1 ms to some 80 s. */
  private static final double SHORTEST_NANOS = 1e5;

  private static final int MOST_LEVELS = 280;

  private final NavigableMap<Integer, BaseLoss> levels = new TreeMap<>();

  /**
   * Records a round.
   *
   * @param exceedNanos length of a queue that is clearly longer than the round's
   */
  void note(double exceedNanos, int lost, int packets) {
    levels.computeIfAbsent(1 + level(exceedNanos), _ -> new BaseLoss()).note(lost, packets);
  }

  /** The queue has reached this length: levels below it are added to the base loss. */
  void exceeded(double queueNanos, BaseLoss base) {
    Map<Integer, BaseLoss> below = levels.headMap(level(queueNanos), true);
    below.values().forEach(level -> base.note(level.lost(), level.packets()));
    below.clear();
  }

  private static int level(double nanos) {
    double steps = Math.log(Math.max(1, nanos / SHORTEST_NANOS)) / Math.log(STEP);
    return (int) Math.min(MOST_LEVELS, steps);
  }
}
