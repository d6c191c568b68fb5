package io.cascade.studies.experiment;

import io.cascade.command.CommandException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the runs of experiments on several workbenches at the same time. Results are kept as
 * they come; runs that have a result already are not repeated. The first repetition of every
 * experiment comes before the second of any, so that what is stopped early is a whole with less
 * repetition.
 */
public final class Conductor {
  /** A run may fail for a passing reason, such as a control message that took too long. */
  private static final int ATTEMPTS = 2;

  /**
   * Load in bit/s that the processors can carry with air left: a megabit of full packets costs one
   * about 5 ms for every link that it crosses, relays and ends included.
   */
  private static final double BEARABLE = 130e6 * Runtime.getRuntime().availableProcessors();

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final CountDownLatch over = new CountDownLatch(1);
  private final List<Job> jobs;
  private final Listener listener;
  private final List<Thread> workers = new ArrayList<>();
  private volatile boolean stopping;
  private int links;
  private double carried;
  private @Nullable Exception failure;

  /** An experiment and where its results are kept. */
  public record Job(Experiment experiment, ResultFile results) {
    /** Runs that have not been measured yet. */
    public List<Run> left() {
      Map<String, Result> measured =
          results.read().stream().collect(Collectors.toMap(Result::key, result -> result));
      return experiment.runs().stream()
          .filter(run -> {
            Result result = measured.get(run.key());
            return result == null || !run.isAnsweredBy(result);
          })
          .toList();
    }
  }

  private record Task(Job job, Run run) {
    /** Estimated length of a task. */
    double seconds() {
      return 2 + (run.cell().bytes().isPresent() ? 5 : run.cell().seconds());
    }
  }

  /** Hears how it goes. */
  public interface Listener {
    /** Once, before anything runs. */
    void started(int runs, double seconds);

    /** Called after every run. */
    void measured(Result result);
  }

  public Conductor(List<Job> jobs, Listener listener) {
    this.jobs = List.copyOf(jobs);
    this.listener = listener;
  }

  /**
   * Runs what is left to be run.
   *
   * @param parallel workbenches at the same time
   * @return whether all has been measured, and not stopped before
   */
  public boolean conduct(int parallel) throws InterruptedException {
    List<Task> left = left();
    int relays =
        left.stream().mapToInt(task -> task.run().cell().links().size() - 1).max().orElse(0);
    links = relays + 1;
    listener.started(left.size(), seconds(left, parallel));
    if (left.isEmpty()) {
      over.countDown();
      return true;
    }
    try {
      conduct(left, relays, parallel);
    } finally {
      over.countDown();
    }
    if (failure != null) {
      throw failure instanceof CommandException known
          ? known
          : new CommandException(String.valueOf(failure.getMessage()), failure);
    }
    return !stopping;
  }

  private void conduct(List<Task> left, int relays, int parallel) throws InterruptedException {
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

  /**
   * Estimated length of all tasks: bounded by the number of paths, and by what the processors bear.
   */
  private double seconds(List<Task> left, int parallel) {
    double paths = left.stream().mapToDouble(Task::seconds).sum() / parallel;
    double carrying =
        left.stream().mapToDouble(task -> task.seconds() * load(task.run())).sum() / BEARABLE;
    return Math.max(paths, carrying);
  }

  /** Ends what is running and waits until everything that was set up is gone. */
  public void stop() throws InterruptedException {
    stopping = true;
    synchronized (workers) {
      workers.forEach(Thread::interrupt);
    }
    // Whoever conducts still has networks to take down.
    over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  private List<Task> left() {
    List<Task> left = new ArrayList<>();
    for (Job job : jobs) {
      job.left().forEach(run -> left.add(new Task(job, run)));
    }
    // The longest of each repetition first, so that the last ones end at about the same time.
    left.sort(
        Comparator.<Task>comparingInt(task -> task.run().repetition())
            .thenComparing(Comparator.comparingDouble(Task::seconds).reversed()));
    return left;
  }

  /** The first run that leaves the processors air beside what runs already. */
  private @Nullable Task next(List<Task> left) throws InterruptedException {
    synchronized (left) {
      while (!stopping && !left.isEmpty()) {
        for (Task task : left) {
          double load = load(task.run());
          if (carried == 0 || carried + load <= BEARABLE) {
            left.remove(task);
            carried += load;
            return task;
          }
        }
        left.wait();
      }
      return null;
    }
  }

  private void done(Run run, List<Task> left) {
    synchronized (left) {
      carried -= load(run);
      // What is left of a sum of doubles is no load.
      carried = carried < 1 ? 0 : carried;
      left.notifyAll();
    }
  }

  /** Bits per second that links carry together while it runs, as the model expects. */
  private double load(Run run) {
    Cell cell = run.cell();
    double own = new Forecast(cell).bitsPerSecond();
    // A connection beside it crosses the last link alone and fills what is left of it.
    return cell.beside().isEmpty() ? own * links : own / 2 * (links - 1) + cell.bitsPerSecond();
  }

  private void work(int number, int relays, List<Task> left) {
    String lab = "x" + ProcessHandle.current().pid() + "-" + number;
    try (Workbench bench =
        Workbench.up(lab, relays, jobs.getFirst().experiment().seed() * 1_000 + number)) {
      for (Task task = next(left); task != null; task = next(left)) {
        Run run = task.run();
        String experiment = task.job().experiment().name();
        Result result = bench.run(experiment, run);
        for (int attempt = 1; result.failure() != null && attempt < ATTEMPTS; attempt++) {
          result = bench.run(experiment, run);
        }
        done(run, left);
        task.job().results().append(result);
        listener.measured(result);
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
