package io.cascade.testbed.experiment;

import io.cascade.command.Complaint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an experiment's runs on several workbenches at the same time. Results are kept as
 * they come; runs that have a result already are not repeated.
 */
public final class Conductor {
  /** A run may fail for a passing reason, such as a control message that took too long. */
  private static final int ATTEMPTS = 2;

  /**
   * What two thirds of the processors can carry: an emulated link costs a processor about 2.8 ms
   * for a megabit of full packets.
   */
  private static final double BEARABLE = 240e6 * Runtime.getRuntime().availableProcessors();

  private final Experiment experiment;
  private final ResultFile results;
  private final Listener listener;
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean stopping;
  private int links;
  private double carried;
  private @Nullable Exception failure;

  /** Hears how it goes. */
  public interface Listener {
    /** Once, before anything runs. */
    void started(int runs, double seconds);

    /** After every run. */
    void measured(Run run, Result result);
  }

  public Conductor(Experiment experiment, ResultFile results, Listener listener) {
    this.experiment = experiment;
    this.results = results;
    this.listener = listener;
  }

  /**
   * Runs what is left to be run.
   *
   * @param parallel workbenches at the same time
   * @return whether all has been measured, and not stopped before
   */
  public boolean conduct(int parallel) throws InterruptedException {
    List<Run> left = left();
    listener.started(left.size(), left.stream().mapToDouble(Conductor::seconds).sum());
    if (left.isEmpty()) {
      return true;
    }
    int relays = left.stream().mapToInt(run -> run.cell().links().size() - 1).max().orElseThrow();
    links = relays + 1;
    try (AllowedControls _ = AllowedControls.all()) {
      conduct(left, relays, parallel);
    }
    if (failure != null) {
      throw failure instanceof Complaint complaint
          ? complaint
          : new Complaint(String.valueOf(failure.getMessage()), failure);
    }
    return !stopping;
  }

  private void conduct(List<Run> left, int relays, int parallel) throws InterruptedException {
    AtomicInteger number = new AtomicInteger();
    synchronized (workers) {
      for (int i = 0; i < Math.min(parallel, left.size()) && !stopping; i++) {
        workers.add(
            Thread.ofPlatform()
                .name("workbench-" + (i + 1))
                .start(() -> work(number.incrementAndGet(), relays, left)));
      }
    }
    for (Thread worker : List.copyOf(workers)) {
      worker.join();
    }
  }

  /** Ends what is running and waits until everything that was set up is gone. */
  public void stop() throws InterruptedException {
    stopping = true;
    synchronized (workers) {
      workers.forEach(Thread::interrupt);
    }
    for (Thread worker : List.copyOf(workers)) {
      worker.join();
    }
  }

  private List<Run> left() {
    Set<String> measured =
        results.read().stream()
            .filter(result -> result.failure() == null)
            .map(Result::key)
            .collect(Collectors.toSet());
    // The longest of each repetition first, so that the last ones end at about the same time.
    return new ArrayList<>(
        experiment.runs().stream()
            .filter(run -> !measured.contains(run.key()))
            .sorted(
                Comparator.comparingInt(Run::repetition)
                    .thenComparing(Comparator.comparingDouble(Conductor::seconds).reversed()))
            .toList());
  }

  /** What a run takes about, for the time that is left. */
  private static double seconds(Run run) {
    return 2 + (run.cell().bytes().isPresent() ? 5 : run.cell().seconds());
  }

  /** The first run that leaves the processors air beside what runs already. */
  private @Nullable Run next(List<Run> left) throws InterruptedException {
    synchronized (left) {
      while (!stopping && !left.isEmpty()) {
        for (Run run : left) {
          double load = load(run);
          if (carried == 0 || carried + load <= BEARABLE) {
            left.remove(run);
            carried += load;
            return run;
          }
        }
        left.wait();
      }
      return null;
    }
  }

  private void done(Run run, List<Run> left) {
    synchronized (left) {
      carried -= load(run);
      // What is left of a sum of doubles is no load.
      carried = carried < 1 ? 0 : carried;
      left.notifyAll();
    }
  }

  /** Bits per second that links carry together while it runs, as the model expects. */
  private double load(Run run) {
    return new Forecast(run.cell()).bitsPerSecond() * links;
  }

  private void work(int number, int relays, List<Run> left) {
    String lab = "x" + ProcessHandle.current().pid() + "-" + number;
    try (Workbench bench = Workbench.up(lab, relays, experiment.seed() * 1_000 + number)) {
      for (Run run = next(left); run != null; run = next(left)) {
        Result result = bench.run(experiment.name(), run);
        for (int attempt = 1; result.failure() != null && attempt < ATTEMPTS; attempt++) {
          result = bench.run(experiment.name(), run);
        }
        done(run, left);
        results.append(result);
        listener.measured(run, result);
      }
    } catch (InterruptedException stopped) {
      // By stop(), which waits for this thread.
    } catch (Exception e) {
      if (!stopping) {
        synchronized (left) {
          failure = e;
          left.clear();
          left.notifyAll();
        }
      }
    }
  }
}
