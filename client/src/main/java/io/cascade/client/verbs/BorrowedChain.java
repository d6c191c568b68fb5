package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A chain that lives as long as one verb does: closed at its end, on failure and on Ctrl-C. Where
 * the verb is killed, nobody renews the chain, and the orchestrator closes it.
 */
final class BorrowedChain implements AutoCloseable {
  /** How long the orchestrator keeps the chain of a client that does not renew it. */
  static final int TIME_TO_LIVE_SECONDS = 30;

  private static final Duration RENEWED_EVERY = Duration.ofSeconds(TIME_TO_LIVE_SECONDS / 3);

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
   * @param prefix first part of the chain's name, such as {@code send}: which verb opened it
   * @param use what to do with the chain while it is there
   * @param requested makes the request, given the name that the chain must have: by it the chain is
   *     found even where Ctrl-C comes before the orchestrator has answered
   */
  static <T> T with(
      OrchestratorClient client,
      String prefix,
      Function<String, ChainRequest> requested,
      Use<T> use)
      throws Exception {
    return with(client, prefix, requested, use, RENEWED_EVERY);
  }

  static <T> T with(
      OrchestratorClient client,
      String prefix,
      Function<String, ChainRequest> requested,
      Use<T> use,
      Duration renewedEvery)
      throws Exception {
    String name = prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    try (BorrowedChain borrowed = new BorrowedChain(client, name)) {
      Runtime.getRuntime().addShutdownHook(borrowed.onInterrupt);
      Chain chain = client.open(requested.apply(name), UUID.randomUUID().toString());
      Thread renewing =
          Thread.ofVirtual()
              .name("renew " + name)
              .start(() -> renew(client, chain.id(), renewedEvery));
      T result;
      try {
        result = use.of(chain);
      } finally {
        renewing.interrupt();
      }
      borrowed.done = true;
      return result;
    }
  }

  private static void renew(OrchestratorClient client, UUID chain, Duration every) {
    try {
      while (true) {
        Thread.sleep(every);
        try {
          client.renew(chain);
        } catch (UnreachableException | ProblemException e) {
          // The next renewal may reach it; what runs through the chain goes on without.
        }
      }
    } catch (InterruptedException e) {
      // The chain is needed no longer.
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
      // The orchestrator is away: it closes the chain when its time to live is over.
    }
  }

  /** Work that needs a chain. */
  @FunctionalInterface
  interface Use<T> {
    T of(Chain chain) throws Exception;
  }
}
