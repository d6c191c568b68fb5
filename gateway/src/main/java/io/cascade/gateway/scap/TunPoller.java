package io.cascade.gateway.scap;

import io.cascade.kernel.Kernel;
import io.cascade.kernel.TunDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Reads packets from several TUN devices on one thread, and sleeps while there is none. */
final class TunPoller implements AutoCloseable {
  private static final int MOST_BYTES = 65_536;
  private static final int BATCH = 64;
  private static final short POLLIN = 1;
  private static final int POLLFD_BYTES = 8;

  private final List<TunDevice> devices;
  private final int wake = Kernel.eventDescriptor();
  private final MemorySegment state = Kernel.newState();
  private final MemorySegment poll;
  private final MemorySegment timeout = Arena.ofAuto().allocate(16, 8);
  private final MemorySegment packet = Arena.ofAuto().allocate(MOST_BYTES);
  private final byte[] bytes = new byte[MOST_BYTES];

  /** Takes packets; the bytes are used again after it has returned. */
  @FunctionalInterface
  interface Reader {
    void read(int device, byte[] bytes, int length);
  }

  TunPoller(List<TunDevice> devices) {
    this.devices = List.copyOf(devices);
    this.poll = Arena.ofAuto().allocate((devices.size() + 1L) * POLLFD_BYTES, 8);
    for (int i = 0; i <= devices.size(); i++) {
      int descriptor = i < devices.size() ? devices.get(i).descriptor() : wake;
      poll.set(ValueLayout.JAVA_INT, (long) i * POLLFD_BYTES, descriptor);
      poll.set(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 4, POLLIN);
    }
  }

  /**
   * Waits for packets and hands them over; returns earlier when {@link #wakeUp} is called.
   *
   * @return whether the devices are still there
   */
  boolean poll(long mostNanos, Reader reader) {
    timeout.set(ValueLayout.JAVA_LONG, 0, mostNanos / 1_000_000_000);
    timeout.set(ValueLayout.JAVA_LONG, 8, mostNanos % 1_000_000_000);
    if (Kernel.poll(state, poll, devices.size() + 1L, timeout) <= 0) {
      return true;
    }
    boolean there = true;
    for (int i = 0; i < devices.size(); i++) {
      short events = poll.get(ValueLayout.JAVA_SHORT, (long) i * POLLFD_BYTES + 6);
      if (events == POLLIN) {
        readFrom(i, reader);
      } else if (events != 0) {
        there = false; // The device was removed.
      }
    }
    return there;
  }

  private void readFrom(int device, Reader reader) {
    for (int i = 0; i < BATCH; i++) {
      long length =
          Kernel.read(state, devices.get(device).descriptor(), packet.address(), MOST_BYTES);
      if (length <= 0) {
        return;
      }
      MemorySegment.copy(packet, ValueLayout.JAVA_BYTE, 0, bytes, 0, (int) length);
      reader.read(device, bytes, (int) length);
    }
  }

  /** Ends a {@link #poll} early, from any thread; every later one, too. */
  void wakeUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(ValueLayout.JAVA_LONG, 1);
      Kernel.write(Kernel.newState(), wake, one.address(), 8);
    }
  }

  @Override
  public void close() {
    Kernel.close(wake);
  }
}
