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
 * One end of a pipe that carries packets in datagrams to one peer. It asks the peer every {@value
 * #PROBE_MILLIS} ms how much has arrived; from the answers it knows whether the pipe delivers, and
 * what its properties are.
 *
 * <p>Each end chooses a token at random and tells it to its peer. What comes without the right
 * token is dropped, so that nobody who cannot read the datagrams can put packets into the network
 * behind an end. An end that was started anew has another token: it is taken once the former peer
 * has been silent for {@value #FORGET_MILLIS} ms. Nothing is encrypted.
 *
 * <p>Used by one thread; knows no clock.
 */
public final class PipeEnd {
  /** Bytes that a packet grows by, with the outer IPv4 and UDP headers. */
  public static final int OVERHEAD_BYTES = 20 + 8 + PipeDatagram.HEADER_BYTES;

  private static final long MILLI = 1_000_000L;
  private static final int PROBE_MILLIS = 100;
  private static final int FORGET_MILLIS = 2_000;
  private static final int UNANSWERED = 3;
  private static final long SILENCE_NANOS = UNANSWERED * PROBE_MILLIS * MILLI;
  private static final long TRAIN_AGAIN_NANOS = 5_000 * MILLI;

  /** Probes whose answers are waited for: those of some seconds. */
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

  /** Arrivals of what the present peer has sent. */
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

  /** Probes by the latest answer. */
  private long probesByAnswer;

  private long refused;

  private long packetBytes;

  /** The latest probe that was answered, and how long it waited in queues. */
  private @Nullable Sent latest;

  private long latestQueueNanos;

  /** The latest packet before which nothing waited, by this end's reckoning. */
  private @Nullable Sent idleUntil;

  /**
   * A datagram.
   *
   * @param packetBytes of packets that were sent before it
   */
  private record Sent(long sentNanos, long packetBytes) {}

  /** Takes what datagrams bring. */
  public interface Taker {
    /** An IP packet from behind the peer. */
    void packet(byte[] packet);

    /** A message of the peer's signalling unit. */
    void signal(byte[] message);

    /** A datagram that is to be sent back at once. */
    void reply(byte[] datagram);
  }

  /**
   * @param ownToken random, not 0
   * @param given what is assumed until it has been measured
   * @param rateIsGiven whether the given rate holds, and is not measured
   * @param queueIsGiven the same of the queue
   * @param sources that packets from the peer may have
   * @param destinations that packets from the peer may have
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

  /** A packet as a datagram; null while the peer has not been heard of. */
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

  /** A message to the peer's signalling unit; null while the peer has not been heard of. */
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

  /** The peer was started anew: it numbers and counts from the beginning. */
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

  /** The probe that was sent then; those before it get no answer any more. */
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

  /** Sends what is due: probes, and trains while the rate is not known. */
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
   * Whether the peer has answered lately: as lately as the round trip and three probes take. Where
   * fewer were sent since, it is this process that was silent.
   */
  public boolean isUp(long nowNanos) {
    return answered
        && (probes - probesByAnswer < UNANSWERED
            || nowNanos - answeredNanos <= SILENCE_NANOS + meter.longestNanos());
  }

  public PipeProperties properties() {
    return meter.properties();
  }

  /** What was measured; null before the peer has told when a probe arrived. */
  public @Nullable PipeMeasurement measurement() {
    if (latest == null) {
      return null;
    }
    return new PipeMeasurement(meter.properties(), meter.outwardNanos(), freeNanos());
  }

  /**
   * Returns when all that was sent will have been put on the slowest link: what the latest probe
   * waited and what was sent after it, but no credit for time in which nothing waited.
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
