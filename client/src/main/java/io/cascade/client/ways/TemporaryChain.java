package io.cascade.client.ways;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A chain that lives as long as one verb: closed at the verb's end, on failure and on Ctrl-C. If
 * the verb is killed, the chain is no longer renewed, and the orchestrator closes it.
 */
public final class TemporaryChain implements AutoCloseable {
  /** Time for which the orchestrator keeps the chain of a client that does not renew it. */
  public static final int TIME_TO_LIVE_SECONDS = 30;

  private static final Duration RENEWED_EVERY = Duration.ofSeconds(TIME_TO_LIVE_SECONDS / 3);

  private final OrchestratorClient client;
  private final String name;
  private final Thread onInterrupt;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile boolean done;
  private volatile @Nullable Chain chain;
  private @Nullable Thread renewing;

  private TemporaryChain(OrchestratorClient client, String name) {
    this.client = client;
    this.name = name;
    this.onInterrupt = Thread.ofPlatform().unstarted(() -> release(true));
  }

  /**
   * @param prefix first part of the chain's name, such as {@code send}: the verb that opened it
   * @param use what to do with the chain while it is open
   * @param requested makes the request, given the name that the chain must have: by it the chain is
   *     found even if Ctrl-C comes before the orchestrator has answered
   */
  public static <T> T with(
      OrchestratorClient client,
      String prefix,
      Function<String, ChainRequest> requested,
      Use<T> use)
      throws Exception {
    return with(client, prefix, requested, use, RENEWED_EVERY);
  }

  public static <T> T with(
      OrchestratorClient client,
      String prefix,
      Function<String, ChainRequest> requested,
      Use<T> use,
      Duration renewedEvery)
      throws Exception {
    try (TemporaryChain temporary = open(client, prefix, requested, renewedEvery)) {
      T result = use.of(temporary.chain());
      temporary.done = true;
      return result;
    }
  }

  /** Opens a chain that lives until it is closed, or {@link #finish finished}. */
  public static TemporaryChain open(
      OrchestratorClient client, String prefix, Function<String, ChainRequest> requested) {
    return open(client, prefix, requested, RENEWED_EVERY);
  }

  private static TemporaryChain open(
      OrchestratorClient client,
      String prefix,
      Function<String, ChainRequest> requested,
      Duration renewedEvery) {
    String name = prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    TemporaryChain temporary = new TemporaryChain(client, name);
    Runtime.getRuntime().addShutdownHook(temporary.onInterrupt);
    try {
      Chain opened = client.open(requested.apply(name), UUID.randomUUID().toString());
      temporary.chain = opened;
      temporary.renewing =
          Thread.ofVirtual()
              .name("renew " + name)
              .start(() -> renew(client, opened.id(), renewedEvery));
      return temporary;
    } catch (RuntimeException | Error e) {
      temporary.close();
      throw e;
    }
  }

  /** The chain as it was opened. */
  public Chain chain() {
    return Objects.requireNonNull(chain);
  }

  /** Closes the chain; existing streams may continue until they end. */
  public void finish() {
    done = true;
    close();
  }

  /** Creates the request of such a chain from the question of a plan. */
  public static ChainRequest.Builder asked(String name, PlanRequest question) {
    return ChainRequest.builder()
        .destination(question.destination())
        .name(name)
        .via(question.via())
        .avoid(question.avoid())
        .maxRelays(question.maxRelays())
        .bytes(question.bytes())
        .source(question.source())
        .timeToLiveSeconds(TIME_TO_LIVE_SECONDS);
  }

  private static void renew(OrchestratorClient client, UUID chain, Duration every) {
    try {
      while (true) {
        Thread.sleep(every);
        try {
          client.renew(chain);
        } catch (RuntimeException | Error e) {
          // The next renewal may succeed; streams through the chain continue without it.
        }
      }
    } catch (InterruptedException e) {
      // The chain is not needed any longer.
    }
  }

  @Override
  public void close() {
    Thread renewer = renewing;
    if (renewer != null) {
      renewer.interrupt();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException e) {
      return; // Ctrl-C: the shutdown hook closes it.
    }
    release(!done);
  }

  private void release(boolean abort) {
    if (closed.getAndSet(true)) {
      return;
    }
    Chain opened = chain;
    try {
      if (opened != null) {
        client.close(opened.id(), abort);
        return;
      }
      for (Chain one : client.chains().chains()) {
        if (name.equals(one.name()) && Chains.isLive(one)) {
          client.close(one.id(), abort);
        }
      }
    } catch (RuntimeException e) {
      // The orchestrator does not answer: it closes the chain when its time to live is over.
    }
  }

  /** Work that needs a chain. */
  @FunctionalInterface
  public interface Use<T> {
    /** Runs while the chain is open. */
    T of(Chain chain) throws Exception;
  }
}
