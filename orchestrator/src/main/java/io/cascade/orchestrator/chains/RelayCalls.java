package io.cascade.orchestrator.chains;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.springframework.stereotype.Component;

/** The same call to many relays at the same moment, each on a virtual thread. */
@Component
class RelayCalls {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * @param call throws nothing but what is a mistake in this program
   * @return the answers in the order of the questions
   */
  <Q, A> Map<Q, A> atOnce(Collection<Q> questions, Function<Q, A> call) {
    List<CompletableFuture<A>> running = new ArrayList<>();
    for (Q question : questions) {
      running.add(CompletableFuture.supplyAsync(() -> call.apply(question), threads));
    }
    Map<Q, A> answers = new LinkedHashMap<>();
    int next = 0;
    for (Q question : questions) {
      answers.put(question, running.get(next++).join());
    }
    return answers;
  }

  void soon(Runnable task) {
    threads.execute(task);
  }
}
