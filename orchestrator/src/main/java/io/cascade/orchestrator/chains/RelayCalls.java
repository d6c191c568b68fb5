package io.cascade.orchestrator.chains;

import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Calls to many relays in parallel, each on a virtual thread. */
@Component
public class RelayCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RelayCalls.class);
  private static final long PATIENCE_SECONDS = 2;

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * Calls several relays. A call that throws affects only its own answer.
   *
   * @param failed the answer in place of a call that threw
   * @return the answers in the order of the questions
   */
  public <Q, A> Map<Q, A> atOnce(
      Collection<Q> questions, Function<Q, A> call, BiFunction<Q, Throwable, A> failed) {
    List<CompletableFuture<A>> running = new ArrayList<>();
    for (Q question : questions) {
      running.add(CompletableFuture.supplyAsync(() -> answer(question, call, failed), threads));
    }
    Map<Q, A> answers = new LinkedHashMap<>();
    int next = 0;
    for (Q question : questions) {
      answers.put(question, running.get(next++).join());
    }
    return answers;
  }

  private static <Q, A> A answer(
      Q question, Function<Q, A> call, BiFunction<Q, Throwable, A> failed) {
    try {
      return call.apply(question);
    } catch (ProblemException | UnreachableException e) {
      return failed.apply(question, e);
    } catch (RuntimeException | Error e) {
      LOG.error("asking {} failed", question, e);
      return failed.apply(question, e);
    }
  }

  /**
   * Runs a task asynchronously. Discards it once the orchestrator stops, since its next process
   * will do the work.
   */
  void soon(Runnable task) {
    try {
      threads.execute(() -> {
        try {
          task.run();
        } catch (RuntimeException | Error e) {
          LOG.error("upkeep of chains failed", e);
        }
      });
    } catch (RejectedExecutionException e) {
      LOG.debug("stopping: left to the next start");
    }
  }

  /** Waits some seconds for running tasks to end while the database is still open. */
  void stop() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
