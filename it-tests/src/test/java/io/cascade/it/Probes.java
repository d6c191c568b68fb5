package io.cascade.it;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.locks.LockSupport;

/** Link probes of a known address at a relay's UDP port (RFC 8762), and what is answered. */
final class Probes {
  private static final int LENGTH = 44;
  private static final short ERROR_ESTIMATE = 0x1601;
  private static final int A_SECOND = 50;
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(1);

  private Probes() {}

  /**
   * Probes sent and lost.
   *
   * @param lost that were not answered within a second of the last one
   */
  record Count(int sent, int lost) {
    double share() {
      return sent == 0 ? 1 : (double) lost / sent;
    }
  }

  static ByteBuffer test(int sequence, short session) {
    ByteBuffer packet = ByteBuffer.allocate(LENGTH);
    packet.putInt(sequence).putLong(System.nanoTime() | 1).putShort(ERROR_ESTIMATE);
    return packet.putShort(session).clear();
  }

  /** Sends for so long. */
  static Count send(InetSocketAddress to, Duration time) throws IOException {
    BitSet answered = new BitSet();
    int sent = 0;
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.bind(new InetSocketAddress("127.0.0.1", 0)).configureBlocking(false);
      long began = System.nanoTime();
      while (System.nanoTime() - began < time.toNanos()) {
        int _ = channel.send(test(++sent, (short) 1), to);
        long next = began + sent * (1_000_000_000L / A_SECOND);
        takeUntil(next, channel, answered);
      }
      takeUntil(System.nanoTime() + LAST_ANSWERS.toNanos(), channel, answered);
    }
    return new Count(sent, sent - answered.cardinality());
  }

  private static void takeUntil(long nanos, DatagramChannel channel, BitSet answered)
      throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(2 * LENGTH);
    while (System.nanoTime() - nanos < 0) {
      while (channel.receive(answer.clear()) != null) {
        if (answer.position() == LENGTH) {
          answered.set(answer.getInt(24));
        }
      }
      LockSupport.parkNanos(500_000);
    }
  }
}
