package io.cascade.orchestrator.time;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/**
 * Detects blocked periodic tasks: each reports the end of every round. A task whose rounds no
 * longer end is blocked, and its work is not done. Thread-safe.
 */
@Component
public final class TaskWatch {
  /** Least time after which a round that has not ended counts as blocked. */
  static final Duration LEAST = Duration.ofMinutes(1);

  private static final int PERIODS = 3;

  private final Timekeeper time;
  private final Map<String, Noted> noted = new ConcurrentHashMap<>();

  private record Noted(long mark, Duration longest) {}

  TaskWatch(Timekeeper time) {
    this.time = time;
  }

  /**
   * Returns the last step of a task's rounds, and watches the task from now on.
   *
   * @param period longest time between two rounds
   */
  public Runnable endOfRound(String task, Duration period) {
    Duration three = period.multipliedBy(PERIODS);
    Duration longest = three.compareTo(LEAST) > 0 ? three : LEAST;
    Runnable note = () -> noted.put(task, new Noted(time.mark(), longest));
    note.run();
    return note;
  }

  /** Names of the tasks that are blocked. */
  public List<String> blocked() {
    return noted.entrySet().stream()
        .filter(one -> time.passed(one.getValue().mark(), one.getValue().longest()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }
}
