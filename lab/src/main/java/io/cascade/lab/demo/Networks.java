package io.cascade.lab.demo;

import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.lab.DeadLabs;
import io.cascade.lab.Lab;
import io.cascade.lab.Topology;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Two copies of one network, so that two transfers share no link: one without relays, and one with
 * relays and an orchestrator. Both are removed when this is closed or when the process ends; if the
 * process is killed, the next demonstration or lab removes them.
 */
final class Networks implements AutoCloseable {
  /** Most attempts to remove labs that are coming up meanwhile. */
  private static final int MOST_ATTEMPTS = 3;

  private final Topology topology;
  private final StopHook hook;
  private @Nullable Lab bare;
  private @Nullable CompletableFuture<Lab> full;

  private Networks(Topology topology) {
    this.topology = topology;
    this.hook = StopHook.install(Networks::removeLabs);
  }

  /**
   * Brings up the copy without relays, and begins to bring up the other one.
   *
   * @throws CommandException why this machine cannot emulate it
   */
  static Networks open(Topology topology) {
    Networks networks = new Networks(topology.named("demo-" + ProcessHandle.current().pid()));
    try {
      Topology bare = networks.topology.bare();
      networks.bare = Lab.upForThisProcess(bare.named(bare.name() + "-direct"));
    } catch (RuntimeException e) {
      networks.close();
      throw e;
    }
    networks.full = CompletableFuture.supplyAsync(() -> Lab.upForThisProcess(networks.topology));
    return networks;
  }

  Lab withoutRelays() {
    return Objects.requireNonNull(bare);
  }

  /**
   * Waits until orchestrator and relays serve.
   *
   * @throws CommandException where they do not
   */
  Lab withRelays() {
    return joined(Objects.requireNonNull(full));
  }

  /**
   * Waits for a background task.
   *
   * @throws CommandException where it failed
   */
  static <T> T joined(CompletableFuture<T> begun) {
    try {
      return begun.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof CommandException known ? known : e;
    }
  }

  /** Whether the process is ending, which explains every failure. */
  boolean stopping() {
    return hook.isStopping();
  }

  private static void removeLabs() {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      try {
        DeadLabs.removeOwn();
      } catch (CommandException e) {
        // A lab that was coming up wrote or removed its files at the same time: retried.
      }
    }
  }

  @Override
  public void close() {
    if (stopping()) {
      return; // The shutdown hook closes it.
    }
    DeadLabs.removeOwn();
    hook.close();
  }
}
