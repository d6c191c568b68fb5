package io.cascade.gateway.scap;

import io.cascade.command.CommandException;
import io.cascade.gateway.ip.IpCommand;
import io.cascade.packets.scap.ScapCounts;
import io.cascade.packets.scap.ScapSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A splitter/combiner on one thread: between a near device and the pipes of the far side, or
 * between the pipes of both sides (a chain: packets that one side has put in order are split again
 * by the other side).
 */
final class ScapHost implements AutoCloseable {
  private static final long MOST_NANOS = 1_000_000_000L;
  private static final long ANSWER_SECONDS = 5;

  private final CaptureRoutes routes;
  private final ScapSettings settings;
  private final @Nullable NearDevice nearDevice;
  private final @Nullable PipeSide near;
  private final PipeSide far;
  private final TunPoller poller;
  private final Queue<Runnable> questions = new ConcurrentLinkedQueue<>();
  private volatile boolean running = true;

  private ScapHost(CaptureRoutes routes, ScapSettings settings, HostDevices devices) {
    this.routes = routes;
    this.settings = settings;
    NearDevice device = devices.near();
    this.nearDevice = device;
    if (device != null) {
      this.near = null;
      this.far =
          new PipeSide(
              routes.farPipes(),
              devices.farPorts(),
              settings,
              device::send,
              pipe -> restore(routes.way(false, pipe)));
    } else {
      PipeSide[] sides = new PipeSide[2];
      sides[0] =
          new PipeSide(
              routes.nearPipes(),
              devices.nearPorts(),
              settings,
              packet -> sides[1].outbound(packet, System.nanoTime()),
              pipe -> restore(routes.way(true, pipe)));
      sides[1] =
          new PipeSide(
              routes.farPipes(),
              devices.farPorts(),
              settings,
              packet -> sides[0].outbound(packet, System.nanoTime()),
              pipe -> restore(routes.way(false, pipe)));
      this.near = sides[0];
      this.far = sides[1];
    }
    this.poller = new TunPoller(sources());
  }

  /** Runs on a platform thread, which starts in the network namespace of this one. */
  private static void restore(List<String> way) {
    Thread.ofPlatform()
        .daemon()
        .name("scap-route")
        .start(() -> {
          try {
            IpCommand.tryAll(way);
          } catch (CommandException e) {
            // Out of descriptors or memory for a process: repeated within seconds.
          }
        });
  }

  private List<TunPoller.Source> sources() {
    List<TunPoller.Source> sources = new ArrayList<>();
    if (nearDevice != null) {
      sources.add(
          new TunPoller.Source(
              nearDevice.descriptor(),
              true,
              (bytes, length) -> far.scap().outbound(bytes, length, System.nanoTime())));
    }
    for (PipeSide side : sides()) {
      for (int i = 0; i < side.ports().size(); i++) {
        int port = i;
        sources.add(
            new TunPoller.Source(
                side.ports().get(i).descriptor(),
                side.specs().get(i).peer() == null,
                (bytes, length) -> side.read(port, bytes, length)));
      }
    }
    return sources;
  }

  /**
   * Opens devices, sockets and routes; the kernel hands over packets from then on.
   *
   * @throws CommandException that names what is missing
   */
  static ScapHost open(CaptureRoutes routes, ScapSettings settings) {
    return new ScapHost(routes, settings, HostDevices.open(routes));
  }

  CaptureRoutes routes() {
    return routes;
  }

  ScapSettings settings() {
    return settings;
  }

  PipeSide far() {
    return far;
  }

  /** The near side's pipes, if it has any, and the far side's. */
  List<PipeSide> sides() {
    return near == null ? List.of(far) : List.of(near, far);
  }

  /**
   * Carries packets until {@link #stop}.
   *
   * @throws CommandException where a device was removed
   */
  void run() {
    while (running) {
      long now = System.nanoTime();
      long wait = MOST_NANOS;
      for (PipeSide side : sides()) {
        side.tick(now, poller.drainedNanos());
        wait = Math.min(wait, side.nextNanos() - now);
      }
      if (!poller.poll(Math.clamp(wait, 0, MOST_NANOS))) {
        throw new CommandException("a TUN device was removed; the kernel forwards by itself again");
      }
      for (Runnable question = questions.poll(); question != null; question = questions.poll()) {
        question.run();
      }
    }
  }

  /**
   * Runs a query on the thread that carries packets; must be called from another one.
   *
   * @throws CommandException where it does not answer
   */
  <T extends @Nullable Object> T ask(Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    questions.add(() -> {
      try {
        answer.complete(question.get());
      } catch (RuntimeException | Error e) { // A query must not end the packets' thread.
        answer.completeExceptionally(e);
      }
    });
    poller.wakeUp();
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    } catch (TimeoutException e) {
      throw new CommandException("the splitter/combiner does not answer", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known
          ? known
          : new IllegalStateException(e.getCause());
    }
  }

  /** Ends {@link #run}. Thread-safe. */
  void stop() {
    running = false;
    poller.wakeUp();
  }

  /** Returns the far side's counters; after the end of {@link #run}, or within {@link #ask}. */
  ScapCounts counts() {
    return far.scap().counts();
  }

  /** Packets that a device or the kernel rejected. */
  long refused() {
    long byPipes = sides().stream().mapToLong(PipeSide::refused).sum();
    return nearDevice == null ? byPipes : byPipes + nearDevice.refused();
  }

  /** Releases held packets, and restores the kernel's routes. */
  @Override
  public void close() {
    sides().forEach(side -> side.scap().close());
    routes.tearDown();
    sides().forEach(PipeSide::close);
    if (nearDevice != null) {
      nearDevice.close();
    }
    poller.close();
  }
}
