package io.cascade.lab.process;

import io.cascade.command.CommandException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.regex.Matcher;

/**
 * One orchestrator and some relays on this host, as separate processes on free loopback ports.
 * Closing it ends them all, also while parts start; none starts afterwards. Close is thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
  private static final String ORCHESTRATOR = "orchestrator";
  private static final Patience PATIENCE =
      new Patience(Duration.ofSeconds(60), Duration.ofMillis(50));

  private final CascadeCommand cascade;
  private final Path folder;
  private final List<CascadeProcess> parts = new CopyOnWriteArrayList<>();
  private boolean isClosed;

  /**
   * @param folder of states and logs
   */
  public LocalCluster(CascadeCommand cascade, Path folder) {
    this.cascade = cascade;
    this.folder = folder;
  }

  /** Starts the orchestrator and waits until it serves. */
  public URI startOrchestrator() {
    return startOrchestrator("127.0.0.1:0");
  }

  /** Starts the orchestrator at an address, in place of a killed one, and waits until it serves. */
  public URI startOrchestrator(String listen) {
    CascadeProcess orchestrator = start(() -> CascadeProcess.orchestrator(cascade, folder, listen));
    return URI.create(orchestrator.awaitReady().group(1));
  }

  /** Sends SIGKILL to the orchestrator. */
  public void killOrchestrator() throws InterruptedException {
    for (CascadeProcess part : parts) {
      if (part.name().equals(ORCHESTRATOR)) {
        part.kill();
      }
    }
  }

  /**
   * Starts relays r1, r2, … at the same time and waits until all serve.
   *
   * @param options of each, by its number from 1
   * @return one for each, in order
   */
  public List<CascadeProcess> startRelays(
      int count, URI orchestrator, IntFunction<List<String>> options) {
    List<CascadeProcess> started = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String name = "r" + i;
      List<String> its = options.apply(i);
      started.add(start(() -> CascadeProcess.relay(cascade, folder, name, orchestrator, its)));
    }
    for (CascadeProcess relay : started) {
      Matcher _ = relay.awaitReady();
    }
    return started;
  }

  private synchronized CascadeProcess start(Supplier<CascadeProcess> one) {
    if (isClosed) {
      throw new CommandException("the cluster is closed");
    }
    CascadeProcess part = one.get();
    parts.removeIf(other -> other.name().equals(part.name()));
    parts.add(part);
    return part;
  }

  /** Waits for a condition; fails once a part has ended. */
  public void until(String what, BooleanSupplier condition) throws InterruptedException {
    PATIENCE.until(
        what,
        () -> {
          checkAlive();
          return condition.getAsBoolean();
        });
  }

  /**
   * Checks that no part has ended by itself.
   *
   * @throws CommandException with the end of the log of one that has
   */
  public void checkAlive() {
    parts.forEach(CascadeProcess::checkAlive);
  }

  /** Returns when a part ends, which normally none does by itself. */
  public void awaitEnd() {
    CompletableFuture.anyOf(
            parts.stream().map(part -> part.process().onExit()).toArray(CompletableFuture[]::new))
        .join();
    checkAlive();
  }

  @Override
  public void close() {
    synchronized (this) {
      isClosed = true;
    }
    parts
        .reversed()
        // All at once, relays before the orchestrator to which they report.
        .forEach(CascadeProcess::stop);
    parts.reversed().forEach(CascadeProcess::close);
  }
}
