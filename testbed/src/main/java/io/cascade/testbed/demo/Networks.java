package io.cascade.testbed.demo;

import io.cascade.command.Complaint;
import io.cascade.testbed.lab.DeadLabs;
import io.cascade.testbed.lab.Lab;
import io.cascade.testbed.lab.Topology;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Two copies of one network, so that two transfers share no link: one without relays, and one with
 * relays and an orchestrator. Both are gone when this is closed or when the process ends; if the
 * process is killed, the next demonstration or lab removes them.
 */
final class Networks implements AutoCloseable {
  private final Topology topology;
  private final AtomicBoolean stopping = new AtomicBoolean();
  private final Thread hook = Thread.ofPlatform().unstarted(this::stop);
  private @Nullable Lab bare;
  private @Nullable Lab full;

  private Networks(Topology topology) {
    this.topology = topology;
  }

  /**
   * Brings up the copy without relays.
   *
   * @throws Complaint why this machine cannot emulate it
   */
  static Networks open(Topology topology) {
    Networks networks = new Networks(topology.named("demo-" + ProcessHandle.current().pid()));
    Runtime.getRuntime().addShutdownHook(networks.hook);
    try {
      Topology bare = networks.topology.bare();
      networks.bare = Lab.upForThisProcess(bare.named(bare.name() + "-direct"));
      return networks;
    } catch (RuntimeException e) {
      networks.close();
      throw e;
    }
  }

  /** Brings up the copy with relays and an orchestrator, and waits until they serve. */
  void openWithRelays() {
    full = Lab.upForThisProcess(topology);
  }

  Lab withoutRelays() {
    return opened(bare);
  }

  Lab withRelays() {
    return opened(full);
  }

  private static Lab opened(@Nullable Lab lab) {
    if (lab == null) {
      throw new IllegalStateException("not up yet");
    }
    return lab;
  }

  /** Whether the process is ending, which explains every failure. */
  boolean stopping() {
    return stopping.get();
  }

  private void stop() {
    stopping.set(true);
    DeadLabs.removeOwn();
  }

  @Override
  public void close() {
    if (stopping()) {
      return; // The hook does it.
    }
    DeadLabs.removeOwn();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Ctrl-C just now.
    }
  }
}
