package io.cascade.testbed.measured;

import io.cascade.command.Complaint;
import io.cascade.command.StopHook;
import io.cascade.testbed.experiment.JsonLines;
import io.cascade.testbed.lab.DeadLabs;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Measures paths, several at the same time, and leaves out those that were measured already. */
final class MeasuredCampaign {
  private final List<EmulatedPath> paths;
  private final int repetitions;
  private final JsonLines<PathResult> results;
  private final PrintWriter err;
  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());
  private final List<Thread> workers = new ArrayList<>();
  private final ArrayDeque<EmulatedPath> left = new ArrayDeque<>();
  private long startNanos;
  private int wanted;
  private int done;
  private boolean stopping;
  private @Nullable RuntimeException failure;

  MeasuredCampaign(
      List<EmulatedPath> paths, int repetitions, JsonLines<PathResult> results, PrintWriter err) {
    this.paths = paths;
    this.repetitions = repetitions;
    this.results = results;
    this.err = err;
  }

  /** Paths without a whole result of as many repetitions. */
  List<EmulatedPath> left() {
    Map<String, PathResult> measured = new HashMap<>();
    results.read().forEach(result -> measured.put(result.key(), result));
    return paths.stream()
        .filter(path -> {
          PathResult result = measured.get(path.key());
          return result == null
              || result.failure() != null
              || result.repetitions() < repetitions
              || !result.path().equals(path);
        })
        .toList();
  }

  /**
   * Measures what is left. A signal ends it; what was not finished is measured the next time.
   *
   * @return whether nothing is left
   */
  boolean measure(int parallel) throws InterruptedException {
    left.addAll(left());
    wanted = left.size();
    say("%d of %d paths to measure, %d at a time".formatted(wanted, paths.size(), parallel));
    startNanos = System.nanoTime();
    StopHook hook = StopHook.install(this::stop);
    for (int i = 0; i < Math.min(parallel, wanted); i++) {
      int number = i;
      workers.add(Thread.ofPlatform().name("path-" + i).start(() -> work(number)));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    hook.close();
    if (hook.isStopping()) {
      return false;
    }
    if (failure != null) {
      throw new Complaint(String.valueOf(failure.getMessage()), failure);
    }
    return left().isEmpty();
  }

  private void stop() {
    synchronized (this) {
      stopping = true;
      left.clear();
    }
    workers.forEach(Thread::interrupt);
    DeadLabs.removeOwn();
    say("stopped; the same command goes on from here");
  }

  private synchronized @Nullable EmulatedPath next() {
    return stopping ? null : left.poll();
  }

  private void work(int number) {
    try {
      for (EmulatedPath path = next(); path != null; path = next()) {
        PathResult result =
            new PathTrial(path, repetitions, gate)
                .run("m" + ProcessHandle.current().pid() + "-" + number);
        report(result);
      }
    } catch (InterruptedException e) {
      // By stop().
    } catch (RuntimeException e) {
      synchronized (this) {
        if (!stopping) {
          failure = e;
          left.clear();
        }
      }
    }
  }

  private synchronized void report(PathResult result) {
    if (stopping) {
      return; // Its processes were ended under it.
    }
    results.append(result);
    done++;
    double minutes = (System.nanoTime() - startNanos) / 60e9;
    say(
        "%d/%d, about %.0f min left: path %d: %s"
            .formatted(
                done,
                wanted,
                minutes / done * (wanted - done),
                result.path().number(),
                summary(result)));
  }

  private static String summary(PathResult result) {
    if (result.failure() != null) {
      return result.failure();
    }
    PathVerdict verdict = PathVerdict.of(result);
    return String.format(
        Locale.ROOT,
        "%s, send %.2f of %s, %.2f of direct",
        Objects.requireNonNull(result.plan()).decision(),
        verdict.ofBest(),
        verdict.best(),
        verdict.ofDirect());
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
