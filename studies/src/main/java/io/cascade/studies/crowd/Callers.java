package io.cascade.studies.crowd;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainRequest;
import io.cascade.api.orchestrator.PlanRequest;
import io.cascade.api.orchestrator.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Callers that request plans, open and close chains, and read. No caller pauses for more than a
 * second between two calls.
 */
final class Callers implements AutoCloseable {
  private static final int LONGEST_PAUSE_MILLIS = 1_000;
  private static final int TOO_MANY = 429;
  private static final int SERVER_FAILED = 500;
  private static final int BUSY = 503;
  private static final int RELAY_FAILED = 502;

  private final OrchestratorClient client;
  private final int relays;
  private final List<UUID> chains;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final List<Thread> threads = new ArrayList<>();
  private final LongAdder plans = new LongAdder();
  private final LongAdder refusedPlans = new LongAdder();
  private final LongAdder opened = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Latencies readTimes = new Latencies();

  /**
   * Counts of the calls by outcome. Refused calls are those that were answered with a time to retry
   * after.
   */
  record Outcome(
      long plans,
      long refusedPlans,
      long opened,
      long reads,
      long refused,
      long failed,
      Latencies.Seconds readTimes) {}

  /**
   * @param relays number of relays of the crowd, named r0 and on
   * @param chains open chains, some of which are read
   */
  Callers(OrchestratorClient client, int relays, List<UUID> chains) {
    this.client = client;
    this.relays = relays;
    this.chains = List.copyOf(chains);
  }

  void start(int count) {
    for (int i = 0; i < count; i++) {
      SplittableRandom random = new SplittableRandom(i);
      threads.add(Thread.ofVirtual().name("caller-" + i).start(() -> call(random)));
    }
  }

  private void call(SplittableRandom random) {
    try {
      while (!ended.get()) {
        TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
        switch (random.nextInt(4)) {
          case 0 -> plan(random);
          case 1 -> openAndClose(random);
          default -> read(random);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String relay(SplittableRandom random) {
    return "r" + random.nextInt(relays);
  }

  private void plan(SplittableRandom random) {
    Source source = new Source(relay(random), null, "cubic");
    attempt(
        refusedPlans,
        () -> {
          var _ =
              client.plan(
                  PlanRequest.builder()
                      .destination("203.0.113.1:" + (5_000 + random.nextInt(20)))
                      .bytes(100_000_000L)
                      .source(source)
                      .build());
          plans.increment();
        });
  }

  private void openAndClose(SplittableRandom random) {
    attempt(
        refused,
        () -> {
          Chain chain = open(client, random, relays);
          opened.increment();
          var _ = client.close(chain.id(), false);
        });
  }

  /** Opens a chain over two or three different relays. */
  static Chain open(OrchestratorClient client, SplittableRandom random, int relays) {
    int length = 2 + random.nextInt(2);
    List<String> via =
        random.ints(0, relays).distinct().limit(length).mapToObj(number -> "r" + number).toList();
    return client.open(
        ChainRequest.builder().destination("203.0.113.1:5001").via(via).build(), null);
  }

  private void read(SplittableRandom random) {
    long start = System.nanoTime();
    attempt(
        refused,
        () -> {
          switch (random.nextInt(10)) {
            case 0 -> client.relays();
            case 1 -> client.chains();
            case 2, 3, 4, 5 -> client.relay(relay(random));
            default -> client.chain(chains.get(random.nextInt(chains.size())));
          }
          reads.increment();
          readTimes.record(System.nanoTime() - start);
        });
  }

  private void attempt(LongAdder isRefused, Runnable call) {
    try {
      call.run();
    } catch (ProblemException e) {
      if (e.status() == TOO_MANY || e.status() == BUSY) {
        isRefused.increment();
      } else if (e.status() >= SERVER_FAILED && e.status() != RELAY_FAILED) {
        failed.increment();
      }
    } catch (UnreachableException e) {
      failed.increment();
    }
  }

  Outcome outcome() {
    return new Outcome(
        plans.sum(),
        refusedPlans.sum(),
        opened.sum(),
        reads.sum(),
        refused.sum(),
        failed.sum(),
        readTimes.next());
  }

  /** Stops the callers; returns when the outstanding calls are answered. */
  @Override
  public void close() {
    ended.set(true);
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
