package io.cascade.relay.throughput;

import io.cascade.relay.probe.TrainCodec;
import io.cascade.relay.probe.TrainPacket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The far end of a train: sends each of its packets back once, in its own size and to where it came
 * from. A packet without the key's tag, or with a number that was seen, gets nothing; so nobody can
 * have more sent than the train has, or to another address than somebody with the key sent from.
 * Thread-safe.
 */
final class TrainReflection {
  /** The time in which a train must begin. */
  static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The pause after which it is over. */
  static final Duration PAUSE = Duration.ofSeconds(2);

  private final int packets;
  private final TrainCodec codec;
  private final LongSupplier nanoClock;
  private final BitSet seen = new BitSet();
  private final ByteBuffer answer = ByteBuffer.allocateDirect(TrainCodec.MOST_BYTES);
  private final long expectedNanos;
  private long lastNanos;
  private int reflected;
  private long movedBytes;

  TrainReflection(int packets, TrainCodec codec, LongSupplier nanoClock) {
    this.packets = packets;
    this.codec = codec;
    this.nanoClock = nanoClock;
    this.expectedNanos = nanoClock.getAsLong();
  }

  /**
   * Looks at a datagram.
   *
   * @return whether it was one of the train's
   */
  synchronized boolean take(
      ByteBuffer datagram, InetSocketAddress source, TrainDatagrams datagrams) {
    if (!(codec.read(datagram) instanceof TrainPacket.Test packet)) {
      return false;
    }
    int number = packet.sequence();
    if (number < 0 || number >= packets || seen.get(number)) {
      return true;
    }
    seen.set(number);
    lastNanos = nanoClock.getAsLong();
    long received = TrainCodec.timestamp(lastNanos);
    int length = datagram.remaining();
    codec.write(
        new TrainPacket.Reflected(
            reflected++,
            TrainCodec.timestamp(nanoClock.getAsLong()),
            received,
            number,
            packet.timestamp()),
        answer.clear(),
        length);
    movedBytes += 2L * length;
    datagrams.send(answer.flip(), source);
    return true;
  }

  /** Time until it may be over; null where it is. */
  synchronized @Nullable Duration left() {
    if (reflected == packets) {
      return null;
    }
    long now = nanoClock.getAsLong();
    long end = reflected == 0 ? expectedNanos + PATIENCE.toNanos() : lastNanos + PAUSE.toNanos();
    return now - end >= 0 ? null : Duration.ofNanos(end - now);
  }

  synchronized int reflected() {
    return reflected;
  }

  /** Received and sent. */
  synchronized long movedBytes() {
    return movedBytes;
  }
}
