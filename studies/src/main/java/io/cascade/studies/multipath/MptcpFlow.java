package io.cascade.studies.multipath;

import io.cascade.lab.Site;
import io.cascade.studies.bench.TcpSocket;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** A transfer by the kernel's Multipath TCP at the highest rate that it reaches. */
final class MptcpFlow implements SegmentNetwork.Flow {
  /** Each flow has another port, because connections of the previous one may still be closing. */
  private static final AtomicInteger NEXT_PORT = new AtomicInteger(5_001);

  private static final int MOST_PORTS = 64;
  private static final int PIECE = 64 << 10;
  private static final long SLOT_NANOS = 20_000_000;
  private static final int SLOTS = 50 * 600;

  private final TcpSocket listening;
  private final TcpSocket sending;
  private final TcpSocket receiving;
  private final long originNanos = System.nanoTime();
  private final AtomicLongArray slots = new AtomicLongArray(SLOTS);
  private final Thread writer;
  private final Thread reader;

  private MptcpFlow(TcpSocket listening, TcpSocket sending, TcpSocket receiving) {
    this.listening = listening;
    this.sending = sending;
    this.receiving = receiving;
    this.writer = Thread.ofPlatform().daemon().name("mptcp-write").start(this::write);
    this.reader = Thread.ofPlatform().daemon().name("mptcp-read").start(this::read);
  }

  static MptcpFlow begin(Site source, Site far, InetAddress address) throws Exception {
    for (int tried = 1; ; tried++) {
      int port = NEXT_PORT.getAndIncrement();
      TcpSocket listening;
      try {
        listening = far.call(() -> TcpSocket.listenMultipath(address, port));
      } catch (IOException e) {
        if (tried < MOST_PORTS) {
          continue; // the port is in use
        }
        throw e;
      }
      return begin(source, listening, address, port);
    }
  }

  private static MptcpFlow begin(Site source, TcpSocket listening, InetAddress address, int port)
      throws Exception {
    try {
      TcpSocket sending = source.call(() -> TcpSocket.connectMultipath(address, port));
      return new MptcpFlow(listening, sending, listening.accept());
    } catch (Exception e) {
      listening.close();
      throw e;
    }
  }

  private void write() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(PIECE);
      while (true) {
        sending.writeFully(piece);
      }
    } catch (IOException over) {
      // Closed by the caller.
    }
  }

  private void read() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment piece = arena.allocate(PIECE);
      for (int read = receiving.read(piece); read > 0; read = receiving.read(piece)) {
        int slot = (int) Math.min(SLOTS - 1L, (System.nanoTime() - originNanos) / SLOT_NANOS);
        slots.addAndGet(slot, read);
      }
    } catch (IOException over) {
      // Closed by the caller.
    }
  }

  @Override
  public double bitsPerSecond(long fromNanos, long toNanos) {
    int from = Math.clamp((fromNanos - originNanos) / SLOT_NANOS, 0, SLOTS);
    int to = Math.clamp((toNanos - originNanos) / SLOT_NANOS, from, SLOTS);
    long sum = 0;
    for (int slot = from; slot < to; slot++) {
      sum += slots.get(slot);
    }
    return to == from ? 0 : 8e9 * sum / ((double) (to - from) * SLOT_NANOS);
  }

  @Override
  public void close() throws InterruptedException {
    for (TcpSocket each : List.of(sending, receiving, listening)) {
      each.interrupt();
      each.close();
    }
    writer.join();
    reader.join();
  }
}
