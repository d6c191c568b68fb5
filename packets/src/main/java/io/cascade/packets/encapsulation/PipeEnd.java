package io.cascade.packets.encapsulation;

import io.cascade.packets.encapsulation.Arrivals.Counted;
import io.cascade.packets.encapsulation.PipeDatagram.Kind;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.pipes.PipeProperties;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One end of a pipe that carries packets in datagrams to one peer. It probes the peer every {@value
 * #PROBE_MILLIS} ms for what has arrived; the answers show whether the pipe delivers, and its
 * properties.
 *
 * <p>Each end chooses a random token and sends it to its peer. Datagrams without the right token
 * are dropped, so that a sender that cannot read the datagrams cannot inject packets into the
 * network behind an end. A restarted end has another token, which is accepted once the former peer
 * has been silent for {@value #FORGET_MILLIS} ms. Nothing is encrypted.
 *
 * <p>Used by one thread; uses no clock.
 */
public final class PipeEnd {
  /** Bytes added to a packet, including the outer IPv4 and UDP headers. */
  public static final int OVERHEAD_BYTES = 20 + 8 + PipeDatagram.HEADER_BYTES;

  private static final long MILLI = 1_000_000L;
  private static final int PROBE_MILLIS = 100;
  private static final int FORGET_MILLIS = 2_000;
  private static final int UNANSWERED = 3;
  private static final long SILENCE_NANOS = UNANSWERED * PROBE_MILLIS * MILLI;
  private static final long TRAIN_AGAIN_NANOS = 5_000 * MILLI;

  /** Most probes that wait for an answer: those of some seconds. */
  private static final int MOST_ASKED = 64;

  private static final int LEAST_PACKET = 20;
  private static final int TRAIN = 10;
  private static final int TRAIN_BYTES = 1_200;
  private static final int ANSWER_BYTES = 8 + 4 + 4 + 4 + 8 + 8 + 4 + 8;

  private final long ownToken;
  private final List<IpPrefix> sources;
  private final List<IpPrefix> destinations;
  private final PipeMeter meter;

  /** Probes without an answer that the peer counts among its arrivals, in the order of sending. */
  private final Deque<Sent> asked = new ArrayDeque<>();

  /** Arrivals from the present peer. */
  private Arrivals arrivals = new Arrivals();

  private long peerToken;
  private boolean peerKnown;
  private long heardNanos;
  private long answeredNanos;
  private boolean answered;
  private boolean begun;
  private int number;
  private int train;
  private long probeNanos;
  private long trainNanos;
  private long probes;
  private long answers;

  /** Number of probes at the latest answer. */
  private long probesByAnswer;

  private long refused;

  private long packetBytes;

  /** The latest answered probe, and how long it waited in queues. */
  private @Nullable Sent latest;

  private long latestQueueNanos;

  /** The latest packet before which nothing waited, by this end's estimate. */
  private @Nullable Sent idleUntil;

  /**
   * A sent datagram.
   *
   * @param packetBytes of packets that were sent before it
   */
  private record Sent(long sentNanos, long packetBytes) {}

  /** Receives the content of datagrams. */
  public interface Taker {
    /** An IP packet from behind the peer. */
    void packet(byte[] packet);

    /** A message of the peer's signalling unit. */
    void signal(byte[] message);

    /** A datagram to be returned at once. */
    void reply(byte[] datagram);
  }

  /**
   * @param ownToken random, not 0
   * @param given assumed properties until they have been measured
   * @param rateIsGiven whether the given rate applies, and is not measured
   * @param queueIsGiven the same for the queue
   * @param sources allowed source addresses of packets from the peer
   * @param destinations allowed destination addresses of packets from the peer
   */
  public PipeEnd(
      long ownToken,
      PipeProperties given,
      boolean rateIsGiven,
      boolean queueIsGiven,
      List<IpPrefix> sources,
      List<IpPrefix> destinations) {
    if (ownToken == 0) {
      throw new IllegalArgumentException("token: 0 (expected: any other number)");
    }
    this.ownToken = ownToken;
    this.sources = List.copyOf(sources);
    this.destinations = List.copyOf(destinations);
    this.meter = new PipeMeter(given, rateIsGiven, queueIsGiven);
  }

  /** Makes a datagram of a packet; null before the first datagram of the peer. */
  public byte @Nullable [] packet(byte[] packet, long nowNanos) {
    if (!peerKnown) {
      return null;
    }
    if (freeNanos() <= nowNanos) {
      idleUntil = new Sent(nowNanos, packetBytes);
    }
    packetBytes += packet.length;
    return datagram(Kind.PACKET, packet, nowNanos);
  }

  /** Makes a message to the peer's signalling unit; null before the first datagram of the peer. */
  public byte @Nullable [] signal(byte[] message, long nowNanos) {
    return peerKnown ? datagram(Kind.SIGNAL, message, nowNanos) : null;
  }

  private byte[] datagram(Kind kind, byte[] content, long nowNanos) {
    return PipeDatagram.make(kind, peerToken, ++number, nowNanos, content.length)
        .put(content)
        .array();
  }

  /** Takes a datagram from the peer's address. */
  public void arrived(byte[] bytes, int length, long nowNanos, Taker taker) {
    PipeDatagram datagram = PipeDatagram.parse(bytes, length);
    if (datagram == null || !isFromPeer(datagram, nowNanos)) {
      refused++;
      return;
    }
    if (datagram.token() == ownToken) {
      heardNanos = nowNanos;
      arrivals.arrived(datagram.number(), length, nowNanos);
    }
    switch (datagram.kind()) {
      case PACKET -> packetArrived(datagram.copy(), taker);
      case SIGNAL -> taker.signal(datagram.copy());
      case PROBE -> taker.reply(answer(datagram, nowNanos));
      case ANSWER -> take(datagram, nowNanos);
      case TRAIN -> arrivals.trainArrived(datagram.content().getInt(), length, nowNanos);
    }
  }

  /** Whether its sender is the peer; learns the peer's token from probes and answers. */
  private boolean isFromPeer(PipeDatagram datagram, long nowNanos) {
    int least =
        switch (datagram.kind()) {
          case PACKET, SIGNAL -> 1;
          case PROBE -> 8;
          case ANSWER -> ANSWER_BYTES;
          case TRAIN -> 4;
        };
    if (datagram.contentBytes() < least) {
      return false;
    }
    boolean tells = datagram.kind() == Kind.PROBE || datagram.kind() == Kind.ANSWER;
    if (datagram.token() != ownToken && datagram.kind() != Kind.PROBE) {
      return false;
    }
    if (tells) {
      long told = datagram.content().getLong();
      boolean forgotten = !peerKnown || nowNanos - heardNanos >= FORGET_MILLIS * MILLI;
      if (datagram.token() == ownToken || forgotten) {
        if (peerKnown && told != peerToken) {
          startAnew();
        }
        peerToken = told;
        heardNanos = nowNanos;
        peerKnown = true;
      }
      return peerToken == told;
    }
    return true;
  }

  /** The peer was restarted: it numbers and counts from the beginning. */
  private void startAnew() {
    arrivals = new Arrivals();
    meter.startAnew();
    asked.clear();
    latest = null;
    idleUntil = null;
  }

  private void packetArrived(byte[] packet, Taker taker) {
    if (packet.length >= LEAST_PACKET
        && packet[0] >>> 4 == 4
        && isIn(sources, packet, 12)
        && isIn(destinations, packet, 16)) {
      taker.packet(packet);
    } else {
      refused++;
    }
  }

  private static boolean isIn(List<IpPrefix> prefixes, byte[] packet, int at) {
    IpAddress address = IpAddress.of(Arrays.copyOfRange(packet, at, at + 4));
    return prefixes.stream().anyMatch(prefix -> prefix.contains(address));
  }

  private byte[] answer(PipeDatagram probe, long nowNanos) {
    Counted counted = arrivals.counted();
    return PipeDatagram.make(Kind.ANSWER, peerToken, ++number, nowNanos, ANSWER_BYTES)
        .putLong(ownToken)
        .putInt(probe.sentMicros())
        .putInt(counted.highest())
        .putInt(counted.packets())
        .putLong(counted.bytes())
        .putLong(counted.lastNanos())
        .putInt(counted.train())
        .putLong(counted.trainBitsPerSecond())
        .array();
  }

  private void take(PipeDatagram datagram, long nowNanos) {
    ByteBuffer content = datagram.content();
    content.getLong();
    int sentMicros = content.getInt();
    long roundTripMicros = (PipeDatagram.micros(nowNanos) - sentMicros) & 0xffff_ffffL;
    Counted counted =
        new Counted(
            content.getInt(),
            content.getInt(),
            content.getLong(),
            content.getLong(),
            content.getInt(),
            content.getLong());
    answers++;
    probesByAnswer = probes;
    answered = true;
    answeredNanos = nowNanos;
    Sent probe = asked(sentMicros);
    if (probe == null) {
      meter.answered(roundTripMicros * 1_000, nowNanos);
      return;
    }
    latest = probe;
    latestQueueNanos = meter.arrived(roundTripMicros * 1_000, probe.sentNanos(), counted, nowNanos);
  }

  /** Returns the probe that was sent at this time; earlier ones are not answered any longer. */
  private @Nullable Sent asked(int sentMicros) {
    if (asked.stream().noneMatch(probe -> PipeDatagram.micros(probe.sentNanos()) == sentMicros)) {
      return null;
    }
    Sent probe = asked.remove();
    while (PipeDatagram.micros(probe.sentNanos()) != sentMicros) {
      probe = asked.remove();
    }
    return probe;
  }

  /** Sends what is due: probes, and trains while the rate is unknown. */
  public void tick(long nowNanos, Consumer<byte[]> send) {
    if (!begun) {
      begun = true;
      probeNanos = nowNanos;
      trainNanos = nowNanos;
    }
    if (nowNanos - probeNanos >= 0) {
      probeNanos = nowNanos + PROBE_MILLIS * MILLI;
      probes++;
      if (peerKnown) {
        if (asked.size() == MOST_ASKED) {
          asked.remove();
        }
        asked.add(new Sent(nowNanos, packetBytes));
      }
      send.accept(
          PipeDatagram.make(Kind.PROBE, peerKnown ? peerToken : 0, ++number, nowNanos, Long.BYTES)
              .putLong(ownToken)
              .array());
    }
    if (answered && !meter.knowsRate() && nowNanos - trainNanos >= 0) {
      trainNanos = nowNanos + TRAIN_AGAIN_NANOS;
      train++;
      for (int i = 0; i < TRAIN; i++) {
        send.accept(
            PipeDatagram.make(Kind.TRAIN, peerToken, ++number, nowNanos, TRAIN_BYTES)
                .putInt(train)
                .array());
      }
    }
  }

  /** Returns when {@link #tick} has something to do. */
  public long nextNanos() {
    return probeNanos;
  }

  /**
   * Whether the peer has answered recently: within the round trip and the time of three probes. If
   * fewer probes were sent since, this process was suspended.
   */
  public boolean isUp(long nowNanos) {
    return answered
        && (probes - probesByAnswer < UNANSWERED
            || nowNanos - answeredNanos <= SILENCE_NANOS + meter.longestNanos());
  }

  public PipeProperties properties() {
    return meter.properties();
  }

  /** The measurements; null before the peer has reported the arrival of a probe. */
  public @Nullable PipeMeasurement measurement() {
    if (latest == null) {
      return null;
    }
    return new PipeMeasurement(meter.properties(), meter.outwardNanos(), freeNanos());
  }

  /**
   * Returns when all that was sent will have been transmitted on the slowest link: what the latest
   * probe waited plus what was sent after it, without credit for time in which nothing waited.
   */
  private long freeNanos() {
    if (latest == null) {
      return Long.MIN_VALUE;
    }
    long byProbe = latest.sentNanos() + latestQueueNanos + nanosSince(latest);
    return idleUntil == null || idleUntil.sentNanos() - latest.sentNanos() < 0
        ? byProbe
        : Math.max(byProbe, idleUntil.sentNanos() + nanosSince(idleUntil));
  }

  private long nanosSince(Sent datagram) {
    long bytes = packetBytes - datagram.packetBytes();
    return Math.round(bytes * 8e9 / meter.bitsPerSecond());
  }

  public PipeReport report() {
    return new PipeReport(meter.smoothedNanos(), probes, answers, refused);
  }
}
