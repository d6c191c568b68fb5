package io.cascade.studies.crowd;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Relay;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.command.CommandException;
import io.cascade.lab.process.CascadeProcess;
import io.cascade.lab.process.Patience;
import io.cascade.studies.study.Workplace;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Measures an orchestrator with many relays. */
final class ControlPlane {
  private static final Patience PATIENCE =
      new Patience(Duration.ofMinutes(5), Duration.ofMillis(500));
  private static final Duration QUIET = Duration.ofSeconds(5);
  private static final int OPENERS = 16;
  private static final int MOST_FAILURES = 100;

  /** Chains whose state is checked at the end: each check queries all relays of the chain. */
  private static final int LOOKED_AT = 250;

  private final Load load;
  private final int repetition;
  private final Workplace work;
  private final PrintWriter err;

  /**
   * Load of the orchestrator.
   *
   * @param phase length of each phase: relays and chains alone, and relays and chains beside
   *     callers
   */
  record Load(int relays, int callers, int chains, Duration phase) {}

  /**
   * @param work folder for the state and the log
   * @param err receives lines about progress
   */
  ControlPlane(Load load, int repetition, Workplace work, PrintWriter err) {
    this.load = load;
    this.repetition = repetition;
    this.work = work;
    this.err = err;
  }

  ControlPlaneResult measure() throws IOException, InterruptedException {
    try (CascadeProcess first = start("127.0.0.1:0")) {
      URI address = URI.create(first.awaitReady().group(1));
      OrchestratorClient client = new OrchestratorClient(address, null);
      try (Crowd crowd = new Crowd(address, load.relays())) {
        return measure(first, address, client, crowd);
      }
    }
  }

  private CascadeProcess start(String listen) {
    return CascadeProcess.orchestrator(work.command(), work.path(), listen);
  }

  private ControlPlaneResult measure(
      CascadeProcess first, URI address, OrchestratorClient client, Crowd crowd)
      throws IOException, InterruptedException {
    PATIENCE.until("all relays to be up", () -> up(client, Instant.EPOCH) == load.relays());
    say("%d relays are up", load.relays());
    List<UUID> chains = open(client);
    say("%d chains are open", chains.size());
    ControlPlaneResult.Phase calm = phase(first, crowd, load.phase());
    say("relays and chains alone: %.2f processors", calm.cores());
    Callers callers = new Callers(client, load.relays(), chains);
    ControlPlaneResult.Phase loaded;
    try (callers) {
      callers.start(load.callers());
      loaded = phase(first, crowd, load.phase());
    }
    say("beside callers: %.2f processors", loaded.cores());
    Instant killed = Instant.now();
    long killedNanos = System.nanoTime();
    first.kill();
    try (CascadeProcess second = start(address.getAuthority())) {
      var _ = second.awaitReady();
      say("started again after %.1f s", since(killedNanos));
      boolean heard = isInTime(() -> up(client, killed) == load.relays());
      double heardSeconds = heard ? since(killedNanos) : Double.POSITIVE_INFINITY;
      double quietSeconds = quiet(second, killedNanos);
      boolean _ = isInTime(() -> broken(client, chains) == 0);
      return new ControlPlaneResult(
          load,
          repetition,
          calm,
          loaded,
          callers.outcome(),
          crowd.lost(),
          broken(client, chains),
          new ControlPlaneResult.Restart(heardSeconds, quietSeconds));
    }
  }

  /** Number of relays that the orchestrator heard from after a time. */
  private static long up(OrchestratorClient client, Instant since) {
    return client.relays().relays().stream()
        .filter(relay -> relay.status() == RelayStatus.UP && isHeard(relay, since))
        .count();
  }

  private static boolean isHeard(Relay relay, Instant since) {
    return relay.lastSeenAt().isAfter(since);
  }

  private List<UUID> open(OrchestratorClient client) throws InterruptedException {
    Queue<UUID> opened = new ConcurrentLinkedQueue<>();
    Queue<String> failures = new ConcurrentLinkedQueue<>();
    AtomicInteger left = new AtomicInteger(load.chains());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < OPENERS; i++) {
      SplittableRandom random = new SplittableRandom(1_000L + i);
      threads.add(
          Thread.startVirtualThread(() -> {
            while (left.getAndDecrement() > 0 && failures.size() < MOST_FAILURES) {
              try {
                opened.add(Callers.open(client, random, load.relays()).id());
              } catch (ProblemException | UnreachableException e) {
                failures.add(String.valueOf(e.getMessage()));
                left.incrementAndGet();
              }
            }
          }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    if (opened.size() < load.chains()) {
      throw new CommandException("chains could not be opened: " + failures.peek());
    }
    return List.copyOf(opened);
  }

  private static ControlPlaneResult.Phase phase(
      CascadeProcess orchestrator, Crowd crowd, Duration length) throws InterruptedException {
    crowd.heartbeats().next();
    crowd.late().next();
    crowd.bytes();
    Duration used = orchestrator.processorTime();
    long start = System.nanoTime();
    TimeUnit.NANOSECONDS.sleep(length.toNanos());
    double seconds = since(start);
    return new ControlPlaneResult.Phase(
        seconds,
        orchestrator.processorTime().minus(used).toNanos() / 1e9 / seconds,
        crowd.bytes() / seconds,
        crowd.heartbeats().next(),
        crowd.late().next());
  }

  /** Seconds from the kill until the process used less than one processor for some seconds. */
  private static double quiet(CascadeProcess orchestrator, long killedNanos)
      throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.most().toNanos();
    long quietSince = System.nanoTime();
    while (System.nanoTime() < deadline) {
      Duration used = orchestrator.processorTime();
      long start = System.nanoTime();
      TimeUnit.SECONDS.sleep(1);
      double cores = orchestrator.processorTime().minus(used).toNanos() / 1e9 / since(start);
      if (cores >= 1) {
        quietSince = System.nanoTime();
      } else if (System.nanoTime() - quietSince >= QUIET.toNanos()) {
        return (quietSince - killedNanos) / 1e9;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  /** Number of chains that are not ready, in a sample of them. */
  private static long broken(OrchestratorClient client, List<UUID> chains) {
    int step = Math.max(1, chains.size() / LOOKED_AT);
    long broken = 0;
    for (int i = 0; i < chains.size(); i += step) {
      broken += client.chain(chains.get(i)).state() == ChainState.READY ? 0 : 1;
    }
    return broken;
  }

  private static boolean isInTime(BooleanSupplier condition) throws InterruptedException {
    try {
      PATIENCE.until("", condition);
      return true;
    } catch (CommandException e) {
      return false;
    }
  }

  private static double since(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private void say(String form, Object... values) {
    err.printf(form + "%n", values);
    err.flush();
  }
}
