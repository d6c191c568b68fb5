package io.cascade.studies.study;

import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.lab.DeadLabs;
import io.cascade.studies.study.Measurement.Bench;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures the remaining tasks, several at the same time, and stores each result at once. After a
 * signal, the next run continues with the remaining tasks.
 */
public final class Runner<T, R> {
  /** Time within which an interrupted thread has to end. */
  private static final Duration ENDING = Duration.ofSeconds(3);

  private final Measurement<T, R> measurement;
  private final Results<R> results;
  private final PrintWriter err;
  private final ArrayDeque<T> waiting = new ArrayDeque<>();
  private final List<Thread> threads = new ArrayList<>();
  private int wanted;
  private int done;
  private int unwanted;
  private long startNanos;
  private boolean stopping;
  private @Nullable Exception failure;

  /** Store of results. */
  public interface Results<R> {
    /** Stored results by key. */
    Map<String, R> byKey();

    /** Adds a result, which replaces an earlier one with the same key. */
    void append(R result);
  }

  /**
   * @param err receives lines about progress
   */
  public Runner(Measurement<T, R> measurement, Results<R> results, PrintWriter err) {
    this.measurement = measurement;
    this.results = results;
    this.err = err;
  }

  /** Tasks without a result that answers them. */
  public List<T> left(List<T> tasks) {
    Map<String, R> there = results.byKey();
    return tasks.stream()
        .filter(task -> {
          R result = there.get(measurement.key(task));
          return result == null || !measurement.isAnswered(task, result);
        })
        .toList();
  }

  /**
   * Measures the remaining tasks.
   *
   * @param parallel number of tasks at the same time
   * @return whether nothing is left
   * @throws CommandException if a task failed without a result
   */
  public boolean run(List<T> tasks, int parallel) throws InterruptedException {
    waiting.addAll(left(tasks));
    wanted = waiting.size();
    startNanos = System.nanoTime();
    say("%d of %d runs to measure, %d at a time".formatted(wanted, tasks.size(), parallel));
    StopHook hook = StopHook.install(this::stop);
    for (int i = 0; i < Math.min(parallel, wanted); i++) {
      int number = i;
      threads.add(Thread.ofPlatform().name("bench-" + i).start(() -> work(number)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    hook.close();
    if (failure != null) {
      throw new CommandException(Measurement.why(failure), failure);
    }
    return !hook.isStopping() && left(tasks).size() <= unwanted;
  }

  private void work(int number) {
    try (Bench<T, R> bench = measurement.open(number)) {
      for (T task = next(); task != null; task = next()) {
        keep(task, measured(bench, task));
      }
    } catch (InterruptedException e) {
      // Interrupted by stop().
    } catch (Exception e) {
      synchronized (this) {
        if (!stopping && failure == null) {
          failure = e;
          waiting.clear();
        }
      }
    }
  }

  private @Nullable R measured(Bench<T, R> bench, T task) throws Exception {
    try {
      return bench.run(task);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return measurement.failed(task, e);
    }
  }

  private synchronized @Nullable T next() {
    return stopping ? null : waiting.poll();
  }

  /** Stores a result, unless a signal has ended the measured processes. */
  private synchronized void keep(T task, @Nullable R result) {
    if (stopping) {
      return;
    }
    done++;
    if (result == null) {
      unwanted++;
      return;
    }
    results.append(result);
    double minutes = (System.nanoTime() - startNanos) / 60e9;
    say(
        String.format(
            Locale.ROOT,
            "%d/%d, about %.0f min left: %s: %s",
            done,
            wanted,
            minutes / done * (wanted - done),
            measurement.key(task),
            measurement.words(result)));
  }

  private void stop() {
    synchronized (this) {
      stopping = true;
      waiting.clear();
    }
    threads.forEach(Thread::interrupt);
    DeadLabs.removeOwn();
    awaitThreads();
    DeadLabs.removeOwn(); // labs that threads started in the meantime
    say("stopped; the same command goes on from here");
  }

  /** Waits for threads, which must not start processes after labs are removed. */
  private void awaitThreads() {
    try {
      for (Thread thread : threads) {
        thread.join(ENDING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
