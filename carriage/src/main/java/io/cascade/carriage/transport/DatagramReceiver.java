package io.cascade.carriage.transport;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.cascade.carriage.kernel.DatagramCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Receives datagrams in batches, with the times at which the kernel received them. Trains that the
 * kernel has joined (UDP_GRO) are split into datagrams again. Its memory belongs to one thread,
 * which uses it for all its sockets.
 */
final class DatagramReceiver {
  /** Messages per call. */
  static final int BATCH = 16;

  /** Bytes of a {@code struct sockaddr_in6}, aligned. */
  private static final int SENDER_BYTES = 32;

  private static final int MESSAGE_BYTES = 1 << 16;
  private static final ThreadLocal<DatagramReceiver> OF_THREAD =
      ThreadLocal.withInitial(DatagramReceiver::new);

  private final MemorySegment messages;
  private final MemorySegment[] message = new MemorySegment[BATCH];
  private final MemorySegment[] sender = new MemorySegment[BATCH];
  private final MemorySegment[] control = new MemorySegment[BATCH];
  private final ByteBuffer[] bytes = new ByteBuffer[BATCH];
  private final ReceiveClock clock = new ReceiveClock();

  /** Receives the datagrams. */
  @FunctionalInterface
  interface Sink {
    /**
     * A datagram has arrived.
     *
     * @param datagram valid until the return
     * @param receivedNanos by the monotonic clock
     */
    void datagram(ByteBuffer datagram, long receivedNanos);
  }

  private DatagramReceiver() {
    Arena arena = Arena.ofAuto();
    messages = arena.allocate((long) BATCH * DatagramLayout.MESSAGE_BYTES, Long.BYTES);
    MemorySegment parts = arena.allocate((long) BATCH * DatagramLayout.PART_BYTES, Long.BYTES);
    MemorySegment senders = arena.allocate((long) BATCH * SENDER_BYTES, Long.BYTES);
    MemorySegment controls =
        arena.allocate((long) BATCH * DatagramLayout.CONTROL_BYTES, Long.BYTES);
    MemorySegment memory = arena.allocate((long) BATCH * MESSAGE_BYTES, Long.BYTES);
    for (int i = 0; i < BATCH; i++) {
      message[i] = slice(messages, i, DatagramLayout.MESSAGE_BYTES);
      sender[i] = slice(senders, i, SENDER_BYTES);
      control[i] = slice(controls, i, DatagramLayout.CONTROL_BYTES);
      MemorySegment part = slice(parts, i, DatagramLayout.PART_BYTES);
      MemorySegment own = slice(memory, i, MESSAGE_BYTES);
      bytes[i] = own.asByteBuffer();
      DatagramLayout.part(part, own, MESSAGE_BYTES);
      DatagramLayout.name(message[i], sender[i]);
      DatagramLayout.link(message[i], part, control[i]);
    }
  }

  private static MemorySegment slice(MemorySegment memory, int index, int length) {
    return memory.asSlice((long) index * length, length);
  }

  static DatagramReceiver ofThisThread() {
    return OF_THREAD.get();
  }

  /**
   * Makes one call.
   *
   * @param from the only sender whose datagrams are passed on; null for all senders
   * @return number of messages received, fewer than {@link #BATCH} if there are no more; or an
   *     error number as a negative one
   */
  int receive(int descriptor, @Nullable PeerAddress from, Sink sink) {
    for (MemorySegment each : message) {
      DatagramLayout.nameLength(each, DatagramLayout.NAME_BYTES);
      DatagramLayout.controlLength(each, DatagramLayout.CONTROL_BYTES);
    }
    int received = DatagramCalls.receive(descriptor, messages, BATCH);
    if (received <= 0) {
      return received;
    }
    clock.read();
    for (int i = 0; i < received; i++) {
      if (!DatagramLayout.isTruncated(message[i]) && (from == null || from.isOf(sender[i]))) {
        pass(i, sink);
      }
    }
    return received;
  }

  private void pass(int index, Sink sink) {
    int length = DatagramLayout.length(message[index]);
    long controlLength = DatagramLayout.controlLength(message[index]);
    long time = receivedNanos(control[index], controlLength);
    int segment = segmentBytes(control[index], controlLength, length);
    ByteBuffer buffer = bytes[index];
    for (int at = 0; at < length; at += segment) {
      buffer.limit(Math.min(length, at + segment)).position(at);
      sink.datagram(buffer, time);
    }
    buffer.clear();
  }

  private long receivedNanos(MemorySegment of, long length) {
    long at =
        DatagramLayout.find(of, length, DatagramLayout.SOL_SOCKET, DatagramLayout.SO_TIMESTAMPNS);
    return at < 0
        ? clock.now()
        : clock.monotonic(
            of.get(JAVA_LONG, at) * 1_000_000_000L + of.get(JAVA_LONG, at + Long.BYTES));
  }

  private static int segmentBytes(MemorySegment of, long controlLength, int length) {
    long at =
        DatagramLayout.find(of, controlLength, DatagramLayout.SOL_UDP, DatagramLayout.UDP_GRO);
    int told = at < 0 ? length : of.get(JAVA_INT, at);
    return told > 0 ? told : Math.max(1, length);
  }
}
