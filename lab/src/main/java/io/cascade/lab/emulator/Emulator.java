package io.cascade.lab.emulator;

import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkDirection;
import io.cascade.links.LinkShape;
import io.cascade.links.PacketPool;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;

/**
 * The thread that carries packets between the devices of all links, each according to the shape of
 * its direction. One thread for all, so that the machine's other processors are left to the
 * measured programs.
 *
 * <p>Allocates no objects while it carries: packets are in native memory, their places in primitive
 * rings.
 */
public final class Emulator implements Carrier {
  private static final int MOST_POOL_SLOTS = 1 << 18;

  /** Above threads that measure. */
  private static final int PRIORITY = 10;

  private static final int BATCH = 64;
  private static final long LONGEST_SLEEP_NANOS = 1_000_000_000;
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;

  private final PacketPool pool;
  private final List<LinkDirection> directions = new ArrayList<>();
  private final List<Wire> wires = new ArrayList<>();
  private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final int wake = Kernel.eventDescriptor();
  private final MemorySegment wakeCount = Arena.ofAuto().allocate(8);
  private final long startNanos = System.nanoTime();
  private final Thread thread = Thread.ofPlatform().name("emulator").unstarted(this::run);
  private volatile boolean running = true;
  private volatile boolean realTime;

  /**
   * @param largestMtu of any link, now or later
   */
  public Emulator(int largestMtu) {
    int slotBytes = largestMtu <= 2_048 ? 2_048 : 9_216;
    this.pool = new PacketPool(Kernel.reserve((long) MOST_POOL_SLOTS * slotBytes), slotBytes);
  }

  /**
   * Adds a direction; must be called before {@link #start}.
   *
   * @param fromDescriptor of the device from which packets are read
   * @param toDescriptor of the device to which they are written
   * @return the direction's number
   */
  public int add(int fromDescriptor, int toDescriptor, LinkShape shape, long seed) {
    LinkDirection direction = new LinkDirection(shape, pool, seed, startNanos);
    directions.add(direction);
    wires.add(new Wire(fromDescriptor, toDescriptor, direction));
    return directions.size() - 1;
  }

  @Override
  public void start() {
    thread.start();
    call(() -> true);
  }

  @Override
  public boolean realTime() {
    return realTime;
  }

  @Override
  public double seconds() {
    return (System.nanoTime() - startNanos) / 1e9;
  }

  @Override
  public LinkShape shape(int direction) {
    return call(() -> directions.get(direction).shape());
  }

  @Override
  public void reshape(int direction, LinkShape shape) {
    if (shape.mtu() > pool.slotBytes()) {
      throw new IllegalArgumentException(
          "mtu: %d (expected: at most %d in a lab that was brought up so)"
              .formatted(shape.mtu(), pool.slotBytes()));
    }
    call(() -> {
      directions.get(direction).reshape(System.nanoTime(), shape);
      return true;
    });
  }

  @Override
  public DirectionStatistics statistics(int direction) {
    return call(() -> directions.get(direction).statistics(System.nanoTime()));
  }

  private <T> T call(Supplier<T> task) {
    if (!thread.isAlive()) {
      return task.get();
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    commands.add(() -> {
      try {
        answer.complete(task.get());
      } catch (RuntimeException e) {
        answer.completeExceptionally(e);
      }
    });
    wakeUp();
    return answer.join();
  }

  private void wakeUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      Kernel.write(CLibrary.newState(), wake, one.address(), 8);
    }
  }

  private void run() {
    realTime = Kernel.becomeRealTime(PRIORITY);
    MemorySegment state = CLibrary.newState();
    Wire[] all = wires.toArray(Wire[]::new);
    MemorySegment poll = Arena.ofAuto().allocate((long) (all.length + 1) * POLLFD_BYTES, 8);
    for (int i = 0; i <= all.length; i++) {
      poll.set(
          ValueLayout.JAVA_INT, (long) i * POLLFD_BYTES, i < all.length ? all[i].from() : wake);
      poll.set(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 4, POLLIN);
    }
    MemorySegment timeout = Arena.ofAuto().allocate(16, 8);
    try {
      while (running) {
        long next = deliver(state, all);
        long sleep = Math.clamp(next - System.nanoTime(), 0, LONGEST_SLEEP_NANOS);
        timeout.set(ValueLayout.JAVA_LONG, 0, sleep / 1_000_000_000);
        timeout.set(ValueLayout.JAVA_LONG, 8, sleep % 1_000_000_000);
        int ready = Kernel.poll(state, poll, all.length + 1L, timeout);
        if (ready > 0) {
          for (int i = 0; i < all.length; i++) {
            if (poll.get(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 6) != 0) {
              takeIn(state, all[i]);
            }
          }
          if (poll.get(ValueLayout.JAVA_SHORT, (long) all.length * POLLFD_BYTES + 6) != 0) {
            obey(state);
          }
        }
      }
    } finally {
      running = false;
      obey(state);
      ended.countDown();
    }
  }

  /** Writes due packets, and returns when the next one is due. */
  private long deliver(MemorySegment state, Wire[] all) {
    long next = LinkDirection.NEVER;
    for (Wire wire : all) {
      LinkDirection direction = wire.direction();
      int left = BATCH;
      while (left-- > 0 && direction.isDue(System.nanoTime())) {
        long written =
            Kernel.write(
                state, wire.to(), pool.address(direction.dueSlot()), direction.dueLength());
        if (written < 0) {
          direction.refused();
        } else {
          direction.forwarded();
        }
      }
      next = Math.min(next, direction.nextNanos());
    }
    return next;
  }

  private void takeIn(MemorySegment state, Wire wire) {
    LinkDirection direction = wire.direction();
    for (int i = 0; i < BATCH; i++) {
      int slot = pool.take();
      if (slot < 0) {
        // Reading into the first slot's memory would overwrite a packet; the device drops packets
        // itself meanwhile.
        direction.overflow();
        return;
      }
      long length = Kernel.read(state, wire.from(), pool.address(slot), pool.slotBytes());
      if (length <= 0) {
        pool.giveBack(slot);
        return;
      }
      direction.take(System.nanoTime(), slot, (int) length);
    }
  }

  private void obey(MemorySegment state) {
    Kernel.read(state, wake, wakeCount.address(), 8);
    for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
      command.run();
    }
  }

  /** Waits until the thread has ended. The owner of the devices closes them. */
  @Override
  public void close() {
    running = false;
    if (thread.isAlive()) {
      wakeUp();
      try {
        ended.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    Kernel.close(wake);
  }

  private record Wire(int from, int to, LinkDirection direction) {}
}
