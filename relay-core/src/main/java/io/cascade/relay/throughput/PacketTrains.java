package io.cascade.relay.throughput;

import io.cascade.api.relay.PacketTrain;
import io.cascade.api.relay.PacketTrainReflection;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.relay.probe.TrainCodec;
import io.netty.channel.EventLoopGroup;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Base64;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The packet trains of one relay, as sender and as reflector, over the UDP port of its link probes.
 * They share the place and the budget of throughput tests.
 */
public final class PacketTrains {
  private static final Duration MOST_TIME = Duration.ofSeconds(30);
  private static final int KEY_BYTES = 32;

  /** Octets by which an IPv6 header is longer than an IPv4 header. */
  private static final int LONGER_HEADER = 20;

  private final EventLoopGroup loops;
  private final OtherRelays others;
  private final Admission admission;
  private final StreamActivity streams;
  private final TestCounts counts;
  private final LongSupplier nanoClock;
  private final byte[] padding = new byte[TrainCodec.MOST_BYTES];
  private final LongAdder movedBytes = new LongAdder();
  private volatile @Nullable TrainDatagrams datagrams;
  private volatile @Nullable TrainSource source;
  private volatile @Nullable Reflecting reflection;

  /** A train that is expected or arriving, and the place that it holds. */
  private record Reflecting(TrainReflection train, Admission.Place place) {}

  PacketTrains(
      EventLoopGroup loops,
      OtherRelays others,
      Admission admission,
      StreamActivity streams,
      TestCounts counts,
      LongSupplier nanoClock) {
    this.loops = loops;
    this.others = others;
    this.admission = admission;
    this.streams = streams;
    this.counts = counts;
    this.nanoClock = nanoClock;
    new SplittableRandom().nextBytes(padding);
  }

  /** Sets the port, which is open now. */
  public void sendBy(TrainDatagrams port) {
    datagrams = port;
  }

  /** Sends a train and waits for the answers: for its duration and at most 5 s. */
  PacketTrainReport run(PacketTrain train) throws TestRefused, TestFailed, UnknownHostException {
    byte[] key = key(train.key());
    TrainDatagrams port = port();
    InetSocketAddress to = others.find(train.to());
    InetAddress host = to.getAddress();
    if (host.isMulticastAddress() || host.isAnyLocalAddress()) {
      throw new UnknownHostException(train.to().host()); // unicast only
    }
    int bytes = TrainCodec.MOST_BYTES - (host instanceof Inet6Address ? LONGER_HEADER : 0);
    Duration spacing = spacing(train, bytes);
    short session = session(train.testId());
    Admission.Place place = admission.admit(train.testId(), mostBytes(train.packets()));
    TrainSource running =
        new TrainSource(
            new TrainSource.Order(train.peer(), to, train.packets(), bytes, spacing),
            new TrainCodec(key, session, padding),
            new TrainCodec(key, session, padding),
            streams,
            nanoClock);
    source = running;
    try {
      return running.run(port);
    } finally {
      source = null;
      movedBytes.add(running.movedBytes());
      place.leave(running.movedBytes());
    }
  }

  /** Reflects a train that begins within {@link TrainReflection#PATIENCE}. */
  void expect(UUID test, PacketTrainReflection wanted) throws TestRefused {
    byte[] key = key(wanted.key());
    port();
    Admission.Place place = admission.admit(test, mostBytes(wanted.packets()));
    Reflecting expected =
        new Reflecting(
            new TrainReflection(
                wanted.packets(), new TrainCodec(key, session(test), padding), nanoClock),
            place);
    reflection = expected;
    look(expected);
  }

  private void look(Reflecting expected) {
    Duration left = isOn(expected) ? expected.train().left() : null;
    if (left == null) {
      end(expected);
      return;
    }
    var _ =
        loops
            .next()
            .schedule(() -> look(expected), left.toNanos() + 1_000_000, TimeUnit.NANOSECONDS);
  }

  private boolean isOn(Reflecting train) {
    Reflecting now = reflection;
    return now != null && now.train() == train.train();
  }

  private void end(Reflecting over) {
    synchronized (this) {
      if (!isOn(over)) {
        return;
      }
      reflection = null;
    }
    long moved = over.train().movedBytes();
    movedBytes.add(moved);
    counts.ended(over.train().reflected() > 0 ? SinkState.COMPLETED : SinkState.FAILED);
    over.place().leave(moved);
  }

  /**
   * Inspects a datagram of the port. Called on the receiving thread.
   *
   * @return whether it belonged to a train
   */
  public boolean take(ByteBuffer datagram, InetSocketAddress from) {
    TrainSource sending = source;
    if (sending != null && sending.take(datagram)) {
      return true;
    }
    Reflecting reflecting = reflection;
    TrainDatagrams port = datagrams;
    if (reflecting == null || port == null || !reflecting.train().take(datagram, from, port)) {
      return false;
    }
    if (reflecting.train().left() == null) {
      end(reflecting);
    }
    return true;
  }

  /** Ends running trains. */
  void stop() {
    TrainSource sending = source;
    if (sending != null) {
      sending.stop();
    }
    Reflecting reflecting = reflection;
    if (reflecting != null) {
      end(reflecting);
    }
  }

  /** Bytes sent and received by trains since the relay started. */
  long movedBytes() {
    return movedBytes.sum();
  }

  private TrainDatagrams port() throws TestRefused {
    TrainDatagrams port = datagrams;
    if (port == null) {
      throw new TestRefused(TestRefused.Reason.DRAINING, "this relay's UDP port is not open");
    }
    return port;
  }

  /** Most bytes of a train, both directions. */
  private static long mostBytes(int packets) {
    return 2L * packets * TrainCodec.MOST_BYTES;
  }

  /**
   * Derives STAMP's session identifier from the test, which both relays know, so that none has to
   * be agreed on.
   */
  private static short session(UUID test) {
    return (short) (test.getLeastSignificantBits() | 1);
  }

  private static Duration spacing(PacketTrain train, int bytes) throws TestRefused {
    double nanos = 8e9 * bytes / train.bitsPerSecond();
    if (nanos * train.packets() > MOST_TIME.toNanos()) {
      throw new TestRefused(
          TestRefused.Reason.INVALID,
          train.packets()
              + " packets at "
              + train.bitsPerSecond()
              + " bit/s take longer than "
              + MOST_TIME.toSeconds()
              + " s (fix: fewer packets, or more bits per second)");
    }
    return Duration.ofNanos(Math.round(nanos));
  }

  private static byte[] key(String base64) throws TestRefused {
    try {
      byte[] key = Base64.getDecoder().decode(base64);
      if (key.length == KEY_BYTES) {
        return key;
      }
    } catch (IllegalArgumentException e) {
      throw new TestRefused(TestRefused.Reason.INVALID, "key: not Base64");
    }
    throw new TestRefused(TestRefused.Reason.INVALID, "key: not 32 bytes");
  }
}
