package io.cascade.testbed.coded;

import io.cascade.command.Complaint;
import io.cascade.command.StopHook;
import io.cascade.testbed.experiment.JsonLines;
import io.cascade.testbed.lab.DeadLabs;
import io.cascade.testbed.measured.LoadGate;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs cells in labs, some at the same time, and leaves out what was run already. Runs are
 * interleaved: the second run of any cell comes after the first of all.
 */
final class CodedLabCampaign {
  private final JsonLines<LabRun> results;
  private final PrintWriter err;
  private final Consumer<String> trace;
  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());
  private final ArrayDeque<Wish> left = new ArrayDeque<>();
  private final List<Thread> workers = new ArrayList<>();
  private int wanted;
  private int done;
  private long startNanos;
  private boolean stopping;
  private @Nullable Exception failure;

  private record Wish(LabCell cell, int number) {}

  CodedLabCampaign(JsonLines<LabRun> results, PrintWriter err, Consumer<String> trace) {
    this.results = results;
    this.err = err;
    this.trace = trace;
  }

  /** Runs that are wanted and not there yet; failed ones are wanted again. */
  static List<LabRun> missing(List<LabCell> cells, int runs, List<LabRun> there) {
    Map<String, LabRun> found = new HashMap<>();
    there.forEach(run -> found.put(run.key(), run));
    List<LabRun> missing = new ArrayList<>();
    for (int number = 1; number <= runs; number++) {
      for (LabCell cell : cells) {
        LabRun run = found.get(LabRun.key(cell, number));
        if (run == null || run.failure() != null) {
          missing.add(LabRun.failed(cell, number, "not run"));
        }
      }
    }
    return missing;
  }

  /**
   * Measures what is left. A signal ends it; what was not finished is measured the next time.
   *
   * @return whether nothing is left
   */
  boolean measure(
      List<LabCell> cells, int runs, int parallel, CodedLab.Length alone, CodedLab.Length shared)
      throws InterruptedException {
    // In a mixed order, so that quick and slow links run beside each other.
    List<LabCell> mixed = new ArrayList<>(cells);
    Collections.shuffle(mixed, new Random(1));
    missing(mixed, runs, results.read())
        .forEach(run -> left.add(new Wish(run.cell(), run.number())));
    wanted = left.size();
    say("%d of %d runs to do, up to %d at a time".formatted(wanted, cells.size() * runs, parallel));
    startNanos = System.nanoTime();
    StopHook hook = StopHook.install(this::stop);
    for (int i = 0; i < Math.min(parallel, wanted); i++) {
      int number = i;
      workers.add(
          Thread.ofPlatform().name("coded-lab-" + i).start(() -> work(number, alone, shared)));
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
    return missing(cells, runs, results.read()).isEmpty();
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

  private synchronized @Nullable Wish next() {
    return stopping ? null : left.poll();
  }

  private void work(int number, CodedLab.Length alone, CodedLab.Length shared) {
    try (CodedLab lab =
        CodedLab.up("c" + ProcessHandle.current().pid() + "-" + number, number + 1, trace)) {
      for (Wish wish = next(); wish != null; wish = next()) {
        try (LoadGate.Pass _ = gate.enter(wish.cell().load())) {
          report(lab.run(wish.cell(), wish.number(), wish.cell().isShared() ? shared : alone));
        }
      }
    } catch (InterruptedException e) {
      // By stop().
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        if (!stopping) {
          failure = e;
          left.clear();
        }
      }
    }
  }

  private synchronized void report(LabRun run) {
    if (stopping) {
      return; // Its processes were ended under it.
    }
    results.append(run);
    done++;
    double minutes = (System.nanoTime() - startNanos) / 60e9;
    say(
        String.format(
            Locale.ROOT,
            "%d/%d, about %.0f min left: %s: %s",
            done,
            wanted,
            minutes / done * (wanted - done),
            run.key(),
            summary(run)));
  }

  private static String summary(LabRun run) {
    if (run.failure() != null) {
      return run.failure();
    }
    return String.format(
        Locale.ROOT,
        "%.3f of the best, round trip x %.2f, share %.2f, load %.1f",
        run.ofBest(),
        run.roundTripFactor(),
        run.share(),
        run.load());
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
