package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/** A chain that lives as long as one verb does: closed at its end, on failure and on Ctrl-C. */
final class BorrowedChain implements AutoCloseable {
  private final OrchestratorClient client;
  private final String name;
  private final Thread onInterrupt;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean done;

  private BorrowedChain(OrchestratorClient client, String name) {
    this.client = client;
    this.name = name;
    this.onInterrupt = Thread.ofPlatform().unstarted(() -> release(true));
  }

  /**
   * @param use what to do with the chain while it is there
   * @param requested makes the request, given the name that the chain must have: by it the chain is
   *     found even where Ctrl-C comes before the orchestrator has answered
   */
  static <T> T with(OrchestratorClient client, Function<String, ChainRequest> requested, Use<T> use)
      throws Exception {
    String name = "send-" + UUID.randomUUID().toString().substring(0, 8);
    try (BorrowedChain borrowed = new BorrowedChain(client, name)) {
      Runtime.getRuntime().addShutdownHook(borrowed.onInterrupt);
      Chain chain = client.open(requested.apply(name), UUID.randomUUID().toString());
      T result = use.of(chain);
      borrowed.done = true;
      return result;
    }
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException e) {
      return; // Ctrl-C: the hook is at it.
    }
    release(!done);
  }

  private void release(boolean abort) {
    if (closed.getAndSet(true)) {
      return;
    }
    try {
      for (Chain chain : client.chains().chains()) {
        if (name.equals(chain.name()) && ChainSelection.isLive(chain)) {
          client.close(chain.id(), abort);
        }
      }
    } catch (RuntimeException e) {
      // The orchestrator is away: the chain stays until somebody closes it.
    }
  }

  /** Work that needs a chain. */
  @FunctionalInterface
  interface Use<T> {
    T of(Chain chain) throws Exception;
  }
}
