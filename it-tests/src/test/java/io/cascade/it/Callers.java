package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Callers that know all orchestrators. Each opens a chain, looks at it and closes it, again and
 * again, and repeats what failed until it is done.
 */
final class Callers {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long REST_MILLIS = 100;

  private final List<URI> orchestrators;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<CompletableFuture<Void>> running = new ArrayList<>();
  private final AtomicLong closed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean over;

  Callers(List<URI> orchestrators) {
    this.orchestrators = List.copyOf(orchestrators);
  }

  /** Begins to call. */
  void one(String destination, List<String> via) {
    running.add(
        CompletableFuture.runAsync(
            () -> {
              OrchestratorClient client = new OrchestratorClient(orchestrators, null);
              while (!over) {
                Chain chain = open(client, destination, via);
                done(() -> client.chain(chain.id()));
                done(() -> client.close(chain.id(), false));
                closed.incrementAndGet();
                rest();
              }
            },
            threads));
  }

  /**
   * Whoever gets no answer asks under the same key, so that there is one chain; a refusal made
   * none.
   */
  private Chain open(OrchestratorClient client, String destination, List<String> via) {
    ChainRequest request = ChainRequest.builder().destination(destination).via(via).build();
    String[] key = {UUID.randomUUID().toString()};
    return done(() -> {
      try {
        return client.open(request, key[0]);
      } catch (ProblemException e) {
        key[0] = UUID.randomUUID().toString();
        throw e;
      }
    });
  }

  private interface Call<T> {
    T make();
  }

  private <T> T done(Call<T> call) {
    long began = System.nanoTime();
    while (true) {
      try {
        return call.make();
      } catch (UnreachableException | ProblemException e) {
        failed.incrementAndGet();
        if (System.nanoTime() - began > PATIENCE.toNanos()) {
          throw new AssertionError("not done for " + PATIENCE, e);
        }
        rest();
      }
    }
  }

  private static void rest() {
    try {
      Thread.sleep(REST_MILLIS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until all have closed their chains. What was done is for people. */
  String finish() throws Exception {
    over = true;
    try {
      for (CompletableFuture<Void> caller : running) {
        caller.get(4 * PATIENCE.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(closed.get()).as("chains that were opened and closed").isPositive();
    return "%d chains opened and closed, %d calls repeated".formatted(closed.get(), failed.get());
  }
}
