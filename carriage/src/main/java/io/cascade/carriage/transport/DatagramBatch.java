package io.cascade.carriage.transport;

import io.cascade.carriage.kernel.DatagramCalls;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Datagrams that are sent together, in one system call. Consecutive ones of one length are one
 * message that the kernel segments (UDP_SEGMENT), if it can; the last of them may be shorter. What
 * the socket has no room for stays, in order.
 */
final class DatagramBatch {
  /** Most datagrams in one message; a longer train would also be a burst on the wire. */
  static final int MOST_SEGMENTS = 32;

  private static final int MEMORY_BYTES = 1 << 16;
  private static final int MOST_RUNS = 64;
  private static final int EAGAIN = 11;
  private static final int ECONNREFUSED = 111;

  /**
   * EPERM, EMSGSIZE, ENETUNREACH, ENOBUFS, ECONNREFUSED, EHOSTUNREACH: this datagram is not sent,
   * and counts as lost.
   */
  private static final int[] LOST = {1, 90, 101, 105, 111, 113};

  /** EPERM, EIO, EINVAL, EMSGSIZE. */
  private static final int[] TRAINS = {1, 5, 22, 90};

  private final ByteBuffer buffer;
  private final MemorySegment memory;
  private final MemorySegment messages;
  private final MemorySegment[] message = new MemorySegment[MOST_RUNS];
  private final MemorySegment[] part = new MemorySegment[MOST_RUNS];
  private final MemorySegment[] control = new MemorySegment[MOST_RUNS];

  private final int[] starts = new int[MOST_RUNS];
  private final int[] lengths = new int[MOST_RUNS];
  private final int[] segments = new int[MOST_RUNS];
  private boolean segmentation;
  private int runs;
  private int firstRun;
  private boolean open;

  /** Whether the first run is a train that was refused, whose datagrams are sent one by one. */
  private boolean isCut;

  private long refused;
  private long unreachable;

  /**
   * @param segmentation whether the kernel supports UDP_SEGMENT
   */
  DatagramBatch(boolean segmentation) {
    this.segmentation = segmentation;
    Arena arena = Arena.ofAuto();
    memory = arena.allocate(MEMORY_BYTES, Long.BYTES);
    buffer = memory.asByteBuffer();
    messages = arena.allocate((long) MOST_RUNS * DatagramLayout.MESSAGE_BYTES, Long.BYTES);
    MemorySegment parts = arena.allocate((long) MOST_RUNS * DatagramLayout.PART_BYTES, Long.BYTES);
    MemorySegment controls =
        arena.allocate((long) MOST_RUNS * DatagramLayout.CONTROL_BYTES, Long.BYTES);
    for (int i = 0; i < MOST_RUNS; i++) {
      message[i] = slice(messages, i, DatagramLayout.MESSAGE_BYTES);
      part[i] = slice(parts, i, DatagramLayout.PART_BYTES);
      control[i] = slice(controls, i, DatagramLayout.CONTROL_BYTES);
      DatagramLayout.link(message[i], part[i], control[i]);
    }
  }

  private static MemorySegment slice(MemorySegment of, int index, int length) {
    return of.asSlice((long) index * length, length);
  }

  /** Whether there is room for a datagram before the next {@link #flush}. */
  boolean hasRoom(int bytes) {
    return firstRun == 0 && runs < MOST_RUNS && buffer.capacity() - buffer.position() >= bytes;
  }

  /** Buffer for the next datagram, written from its position on. */
  ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Adds the last written bytes as a datagram.
   *
   * @param length above 0
   */
  void add(int length) {
    int last = runs - 1;
    boolean joins =
        open
            && segmentation
            && length <= segments[last]
            && lengths[last] < MOST_SEGMENTS * segments[last];
    if (joins) {
      lengths[last] += length;
      open = length == segments[last];
    } else {
      starts[runs] = buffer.position() - length;
      lengths[runs] = length;
      segments[runs] = length;
      runs++;
      open = true;
    }
  }

  boolean isEmpty() {
    return runs == 0;
  }

  /** Number of datagrams, or trains of them, that the network refused. */
  long refused() {
    return refused;
  }

  /** Number of times that the peer's system reported a closed port. */
  long unreachable() {
    return unreachable;
  }

  /**
   * Sends.
   *
   * @return whether everything was sent; otherwise the socket has no room at present
   * @throws IOException an error of the socket and not of the network
   */
  boolean flush(int descriptor) throws IOException {
    for (int i = firstRun; i < runs; i++) {
      describe(i, lengths[i]);
    }
    while (firstRun < runs) {
      boolean isTrain = lengths[firstRun] > segments[firstRun];
      if (isTrain && (isCut || !segmentation)) {
        isCut = true;
        describe(firstRun, segments[firstRun]);
      }
      int sent =
          DatagramCalls.send(
              descriptor,
              messages.asSlice((long) firstRun * DatagramLayout.MESSAGE_BYTES),
              isCut || !segmentation ? 1 : runs - firstRun);
      if (sent == -EAGAIN) {
        return false;
      } else if (sent < 0) {
        onError(-sent);
      } else if (isCut) {
        segmentation = false; // The train was refused, but a single datagram of it was accepted.
        next();
      } else {
        firstRun += sent;
      }
    }
    clear();
    return true;
  }

  /** Describes the first bytes of a run to the system. */
  private void describe(int run, int length) {
    DatagramLayout.part(part[run], memory.asSlice(starts[run], length), length);
    DatagramLayout.controlLength(
        message[run],
        length > segments[run] ? DatagramLayout.segment(control[run], segments[run]) : 0);
  }

  /** Advances past what was sent or refused. */
  private void next() {
    int length = isCut ? Math.min(segments[firstRun], lengths[firstRun]) : lengths[firstRun];
    starts[firstRun] += length;
    lengths[firstRun] -= length;
    if (lengths[firstRun] > 0) {
      describe(firstRun, Math.min(segments[firstRun], lengths[firstRun]));
    } else {
      isCut = false;
      firstRun++;
    }
  }

  /** Discards what was not sent. */
  void clear() {
    runs = 0;
    firstRun = 0;
    open = false;
    isCut = false;
    buffer.clear();
  }

  /**
   * A train may be refused although its datagrams are not: by a filter of this host that sees it as
   * one long datagram, or by a device or a route that cannot segment it.
   */
  private void onError(int errno) throws IOException {
    boolean isTrain = !isCut && lengths[firstRun] > segments[firstRun];
    unreachable += errno == ECONNREFUSED ? 1 : 0;
    if (isTrain && Arrays.stream(TRAINS).anyMatch(each -> each == errno)) {
      isCut = true;
    } else if (Arrays.stream(LOST).anyMatch(each -> each == errno)) {
      refused++;
      next();
    } else {
      throw new IOException("sendmmsg: error " + errno);
    }
  }
}
