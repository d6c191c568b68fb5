package io.cascade.lab.demo;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Link;
import io.cascade.api.orchestrator.RelayStatus;
import io.cascade.client.transfer.TransferFailed;
import io.cascade.command.CommandException;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.CascadeProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;

/**
 * One orchestrator and some relays on this host, as processes of their own on free loopback ports.
 * Closing it ends them all.
 */
final class LocalCluster implements AutoCloseable {
  private static final List<String> SITES =
      List.of("berlin", "vienna", "zurich", "milan", "lyon", "madrid", "porto", "bergen");
  private static final Duration MEASURED = Duration.ofSeconds(60);
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private final CascadeCommand cascade;
  private final Path folder;
  private final List<CascadeProcess> parts = new CopyOnWriteArrayList<>();

  LocalCluster(Path folder) {
    this.folder = folder;
    Path settings = folder.resolve("settings.properties");
    try {
      Files.writeString(settings, "# The demonstration's parts take every setting as a flag.\n");
    } catch (IOException e) {
      throw new CommandException("cannot write " + settings + ": " + e.getMessage(), e);
    }
    this.cascade = CascadeCommand.ofThisProcess(settings);
  }

  /** Starts the orchestrator and waits until it serves. */
  URI startOrchestrator() {
    CascadeProcess orchestrator = CascadeProcess.orchestrator(cascade, folder, "127.0.0.1:0");
    parts.add(orchestrator);
    return URI.create(orchestrator.awaitReady().group(1));
  }

  /**
   * Starts relays r1, r2, … at the same time and waits until all serve.
   *
   * @return one for each, in order
   */
  List<LocalRelay> startRelays(int count, URI orchestrator) {
    List<CascadeProcess> started = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      String site = SITES.get((i - 1) % SITES.size());
      started.add(
          CascadeProcess.relay(
              cascade,
              folder,
              "r" + i,
              orchestrator,
              List.of("--site", site, "--listen", "127.0.0.1")));
      parts.add(started.getLast());
    }
    return started.stream().map(LocalCluster::ready).toList();
  }

  private static LocalRelay ready(CascadeProcess relay) {
    Matcher ready = relay.awaitReady();
    return new LocalRelay(relay.name(), ready.group(2), ready.group(3), relay.process().pid());
  }

  /** Waits until every relay has registered and has measured the link to every other one. */
  List<Link> awaitMeasured(OrchestratorClient client, int relays) throws InterruptedException {
    until(
        "all relays to register",
        () ->
            client.relays().relays().stream()
                    .filter(relay -> relay.status() == RelayStatus.UP)
                    .count()
                == relays);
    until(
        "the relays to measure each other", () -> measured(client).size() == relays * (relays - 1));
    return measured(client);
  }

  private static List<Link> measured(OrchestratorClient client) {
    return client.links().links().stream()
        .filter(link -> link.minRttMillis() != null && link.probesSent() > 0)
        .toList();
  }

  /** Waits for a condition, and no longer once a part has died. */
  void until(String what, BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + MEASURED.toNanos();
    while (!condition.getAsBoolean()) {
      parts.forEach(CascadeProcess::checkAlive);
      if (System.nanoTime() > deadline) {
        throw new CommandException(
            "waited %d s for %s: %s".formatted(MEASURED.toSeconds(), what, parts.getLast().tail()));
      }
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  /** Throws where a failure to reach somebody comes from the death of a part. */
  void checkAlive(Exception failure) {
    if (failure instanceof UnreachableException || failure instanceof TransferFailed) {
      parts.forEach(CascadeProcess::checkAlive);
    }
  }

  /** Returns when a part ends, which none does by itself. */
  void awaitEnd() {
    CompletableFuture.anyOf(
            parts.stream().map(part -> part.process().onExit()).toArray(CompletableFuture[]::new))
        .join();
    parts.forEach(CascadeProcess::checkAlive);
  }

  @Override
  public void close() {
    parts
        .reversed()
        .forEach(CascadeProcess::stop); // All at once, relays before what they report to.
    parts.reversed().forEach(CascadeProcess::close);
  }

  /**
   * A relay of this cluster.
   *
   * @param control address of its control endpoint
   * @param hop address where other relays connect
   */
  record LocalRelay(String name, String control, String hop, long pid) {}
}
