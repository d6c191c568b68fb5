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
 * The far end of a train: returns each of its packets once, with its size and to its source. A
 * packet without the key's authenticator, or with a repeated number, gets no answer. So no more is
 * sent than the train has, and only to addresses from which a holder of the key has sent.
 * Thread-safe.
 */
final class TrainReflection {
  /** Time within which a train must begin. */
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
   * Inspects a datagram.
   *
   * @return whether it belonged to the train
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

  /** Time until it may be over; null once it is. */
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

  /** Bytes received and sent. */
  synchronized long movedBytes() {
    return movedBytes;
  }
}
