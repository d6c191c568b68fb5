package io.cascade.studies.experiment;

import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.lab.DeadLabs;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Runs of a campaign that are left to measure, worked off by threads until none is left, one fails
 * for good, or a signal ends them.
 *
 * @param <T> what is to be measured
 */
public final class Worklist<T> {
  private final ArrayDeque<T> left;
  private final int wanted;
  private final PrintWriter err;
  private final List<Thread> threads = new ArrayList<>();
  private long startNanos;
  private int done;
  private boolean stopping;
  private @Nullable RuntimeException failure;

  /** Work of a thread: takes one task after the other until there is none. */
  @FunctionalInterface
  public interface Work {
    /**
     * @param number of the thread, from 0
     */
    void run(int number) throws Exception;
  }

  /**
   * @param err for lines about progress
   */
  public Worklist(Collection<T> left, PrintWriter err) {
    this.left = new ArrayDeque<>(left);
    this.wanted = left.size();
    this.err = err;
  }

  /**
   * Works until the threads have ended.
   *
   * @return false where a signal ended them
   * @throws CommandException where the work of one failed
   */
  public boolean run(int most, Work work) throws InterruptedException {
    startNanos = System.nanoTime();
    StopHook hook = StopHook.install(this::stop);
    for (int i = 0; i < Math.min(most, wanted); i++) {
      int number = i;
      threads.add(
          Thread.ofPlatform().name("network-" + i).start(() -> runUntilStopped(work, number)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    hook.close();
    if (failure != null) {
      throw new CommandException(String.valueOf(failure.getMessage()), failure);
    }
    return !hook.isStopping();
  }

  /** The next one; null where the thread is to end. */
  public synchronized @Nullable T next() {
    return stopping ? null : left.poll();
  }

  /**
   * One was measured. Does nothing where a signal ended its processes under it.
   *
   * @param keep stores the result
   */
  public synchronized void measured(Runnable keep, String words) {
    if (stopping) {
      return;
    }
    keep.run();
    done++;
    double minutes = (System.nanoTime() - startNanos) / 60e9;
    say(
        String.format(
            Locale.ROOT,
            "%d/%d, about %.0f min left: %s",
            done,
            wanted,
            minutes / done * (wanted - done),
            words));
  }

  private void runUntilStopped(Work work, int number) {
    try {
      work.run(number);
    } catch (InterruptedException e) {
      // By stop().
    } catch (Exception e) {
      synchronized (this) {
        if (!stopping && failure == null) {
          failure = e instanceof RuntimeException known ? known : new IllegalStateException(e);
          left.clear();
        }
      }
    }
  }

  private void stop() {
    synchronized (this) {
      stopping = true;
      left.clear();
    }
    threads.forEach(Thread::interrupt);
    DeadLabs.removeOwn();
    say("stopped; the same command goes on from here");
  }

  private void say(String line) {
    err.println(line);
    err.flush();
  }
}
