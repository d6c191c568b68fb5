package io.cascade.studies.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Threads that execute the same work concurrently. */
final class WorkerThreads<T> {
  private final List<FutureTask<T>> tasks = new ArrayList<>();

  void start(String name, List<? extends Callable<T>> work) {
    for (Callable<T> one : work) {
      FutureTask<T> task = new FutureTask<>(one);
      tasks.add(task);
      Thread.ofPlatform().daemon().name(name + "-" + tasks.size()).start(task);
    }
  }

  /** Waits for all threads; if some failed, throws the exception of the first that failed. */
  List<T> join() throws IOException, InterruptedException {
    List<T> results = new ArrayList<>();
    for (FutureTask<T> task : tasks) {
      try {
        results.add(task.get());
      } catch (ExecutionException e) {
        if (e.getCause() instanceof IOException failed) {
          throw failed;
        }
        throw new IllegalStateException(e.getCause());
      }
    }
    return results;
  }
}
