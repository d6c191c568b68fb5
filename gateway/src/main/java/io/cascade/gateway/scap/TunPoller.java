package io.cascade.gateway.scap;

import io.cascade.kernel.CLibrary;
import io.cascade.kernel.Kernel;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * Reads packets from several TUN devices and sockets on one thread, and sleeps while there are
 * none.
 */
final class TunPoller implements AutoCloseable {
  private static final int MOST_BYTES = 65_536;
  private static final int BATCH = 64;

  /**
   * Most consecutive whole batches, so that a source that is never empty delays timers no longer.
   */
  private static final int MOST_BATCHES = 8;

  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;

  private final List<Source> sources;
  private final int wake = Kernel.eventDescriptor();
  private final MemorySegment state = CLibrary.newState();
  private final MemorySegment poll;
  private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);
  private final MemorySegment packet = Arena.ofAuto().allocate(MOST_BYTES);
  private final byte[] bytes = new byte[MOST_BYTES];
  private long drainedNanos = System.nanoTime();
  private int batches;

  /** Receives packets; the bytes are reused after it has returned. */
  @FunctionalInterface
  interface Reader {
    void read(byte[] bytes, int length);
  }

  /**
   * Source of packets.
   *
   * @param isDevice whether an error means that the device was removed; an error of a socket
   *     concerns one datagram
   */
  record Source(int descriptor, boolean isDevice, Reader reader) {}

  TunPoller(List<Source> sources) {
    this.sources = List.copyOf(sources);
    this.poll = Arena.ofAuto().allocate((sources.size() + 1L) * POLLFD_BYTES, 8);
    for (int i = 0; i <= sources.size(); i++) {
      int descriptor = i < sources.size() ? sources.get(i).descriptor() : wake;
      poll.set(ValueLayout.JAVA_INT, (long) i * POLLFD_BYTES, descriptor);
      poll.set(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 4, POLLIN);
    }
  }

  /**
   * Waits for packets and passes them on; returns earlier when {@link #wakeUp} is called.
   *
   * @return whether all devices still exist
   */
  boolean poll(long mostNanos) {
    long begunNanos = System.nanoTime();
    boolean there = read(mostNanos);
    if (batches == 0 || batches >= MOST_BATCHES) {
      batches = 0;
      drainedNanos = begunNanos;
    }
    return there;
  }

  /**
   * Returns a time by which everything that had arrived was passed on. After a pause of this
   * process it lags the clock until the sources have been read, so that no waiting packet is
   * missed.
   */
  long drainedNanos() {
    return drainedNanos;
  }

  private boolean read(long mostNanos) {
    timeout.set(ValueLayout.JAVA_LONG, 0, mostNanos / 1_000_000_000);
    timeout.set(ValueLayout.JAVA_LONG, 8, mostNanos % 1_000_000_000);
    if (Kernel.poll(state, poll, sources.size() + 1L, timeout) <= 0) {
      batches = 0;
      return true;
    }
    boolean there = true;
    boolean isWhole = false;
    for (int i = 0; i < sources.size(); i++) {
      short events = poll.get(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 6);
      if (events == POLLIN || (events != 0 && !sources.get(i).isDevice())) {
        isWhole |= readFrom(sources.get(i));
      } else if (events != 0) {
        there = false; // The device was removed.
      }
    }
    if (poll.get(ValueLayout.JAVA_SHORT, (long) sources.size() * POLLFD_BYTES + 6) != 0) {
      Kernel.read(state, wake, packet.address(), Long.BYTES);
    }
    batches = isWhole ? batches + 1 : 0;
    return there;
  }

  /** Returns whether it read a whole batch, so that there may be more. */
  private boolean readFrom(Source source) {
    for (int i = 0; i < BATCH; i++) {
      long length = Kernel.read(state, source.descriptor(), packet.address(), MOST_BYTES);
      if (length <= 0) {
        return false;
      }
      MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, bytes, 0, (int) length);
      source.reader().read(bytes, (int) length);
    }
    return true;
  }

  /** Ends the present or the next {@link #poll} early. Thread-safe. */
  void wakeUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      Kernel.write(CLibrary.newState(), wake, one.address(), 8);
    }
  }

  @Override
  public void close() {
    Kernel.close(wake);
  }
}
