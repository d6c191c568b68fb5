package io.cascade.carriage.coded;

import io.cascade.carriage.transport.DatagramCarrier;
import io.cascade.coding.crypto.PacketProtection;
import io.cascade.coding.session.CodedSession;
import io.cascade.coding.session.PathMtu;
import io.cascade.coding.session.SessionSettings;
import io.cascade.coding.wire.Frame;
import io.cascade.coding.wire.HalfDatagrams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The way out of a session: seals its datagrams and gives them to what carries them. Over UDP those
 * that the path does not take are sent as two halves; whether it takes them is searched for here.
 */
@SuppressWarnings("ReferenceEquality") // of carriers, which are equal to no other
final class SessionOutput {
  private static final int LARGEST_DATAGRAM = 16_384;
  private static final long LEAST_ANSWER_NANOS = 200_000_000;

  private final CodedSession session;
  private final @Nullable PacketProtection protection;
  private final ByteBuffer plain = ByteBuffer.allocate(LARGEST_DATAGRAM);
  private final ByteBuffer whole = ByteBuffer.allocate(LARGEST_DATAGRAM);
  private final HalfDatagrams halves = new HalfDatagrams();
  private final PathMtu mtu = new PathMtu();
  private final int datagramBytes;
  private final int probeBytes;
  private final DatagramCarrier udp;
  private DatagramCarrier carrier;
  private long probe;

  SessionOutput(
      CodedSession session,
      SessionSettings settings,
      @Nullable PacketProtection protection,
      DatagramCarrier udp) {
    this.session = session;
    this.protection = protection;
    this.datagramBytes = settings.datagramBytes() + PacketProtection.TAG_BYTES;
    this.probeBytes = settings.repairBytes();
    this.udp = udp;
    this.carrier = udp;
  }

  /** Returns what carries the session's datagrams now. */
  DatagramCarrier carrier() {
    return carrier;
  }

  boolean isUdp() {
    return carrier == udp;
  }

  /** Datagrams leave by another way from now on. */
  void carryBy(DatagramCarrier next, long nowNanos) {
    carrier = next;
    if (isUdp()) {
      mtu.onWayChanged(nowNanos);
    }
  }

  boolean flush() throws IOException {
    return carrier.flush();
  }

  /**
   * Writes the session's next datagram.
   *
   * @return whether there was one; {@link #hasRoom} has to be asked before
   */
  boolean write(long nowNanos) {
    plain.clear();
    if (session.poll(nowNanos, plain) == 0) {
      return false;
    }
    put(plain.flip(), carrier);
    return true;
  }

  boolean hasRoom() throws IOException {
    int bytes = datagramBytes + 2 * HalfDatagrams.HEADER_BYTES;
    return carrier.hasRoom(bytes) || (carrier.flush() && carrier.hasRoom(bytes));
  }

  private void put(ByteBuffer datagram, DatagramCarrier by) {
    PacketProtection seals = protection;
    boolean isHalved = by == udp && mtu.isHalved() && 2 * datagram.remaining() > datagramBytes;
    ByteBuffer into = isHalved ? whole.clear() : by.buffer();
    int length = datagram.remaining();
    if (seals == null) {
      into.put(datagram);
    } else {
      length = seals.seal(datagram, into);
    }
    if (!isHalved) {
      by.add(length);
      return;
    }
    whole.flip();
    int pair = halves.nextPair();
    for (int index = 0; index < 2; index++) {
      ByteBuffer half = by.buffer();
      int from = half.position();
      HalfDatagrams.write(pair, index, whole, half);
      by.add(half.position() - from);
    }
  }

  /**
   * Length of the longest datagram that is sent where longer ones are halved, before it is sealed.
   */
  int halfBytes() {
    return datagramBytes / 2;
  }

  /** A datagram of the peer that came as a half; null where the other half is missing. */
  @Nullable ByteBuffer join(ByteBuffer half) {
    return halves.join(half);
  }

  /**
   * Sends a frame about a way by that way, at once and whole; drops it where there is no room.
   *
   * @param bytes of the datagram before it is sealed, at least
   */
  void sendPathFrame(DatagramCarrier by, Frame frame, int bytes, long nowNanos) throws IOException {
    if (!by.hasRoom(datagramBytes)) {
      return;
    }
    ByteBuffer datagram = ByteBuffer.allocate(datagramBytes);
    session.writePathFrame(frame, Math.min(bytes, probeBytes), nowNanos, datagram);
    datagram.flip();
    ByteBuffer into = by.buffer();
    int length = datagram.remaining();
    PacketProtection seals = protection;
    if (seals == null) {
      into.put(datagram);
    } else {
      length = seals.seal(datagram, into);
    }
    by.add(length);
    boolean _ = by.flush();
  }

  /** Looks whether the path takes what is sent, and searches for more where it did not. */
  void watchPath(long nowNanos) throws IOException {
    if (!isUdp()) {
      return;
    }
    if (session.answers().isBlackHole() && mtu.onBlackHole(nowNanos)) {
      session.pathShrank(nowNanos);
    }
    long answerNanos = Math.max(LEAST_ANSWER_NANOS, session.probeTimeoutNanos());
    if (mtu.poll(nowNanos, answerNanos)) {
      probe = ThreadLocalRandom.current().nextLong();
      sendPathFrame(udp, new Frame.PathChallenge(probe), probeBytes, nowNanos);
    }
  }

  /** Whether an answer was one to a probe of the path. */
  boolean onAnswer(long data, long nowNanos) {
    boolean isProbe = mtu.state() == PathMtu.State.SEARCHING && data == probe;
    if (isProbe) {
      mtu.onProbeAnswered(nowNanos);
    }
    return isProbe;
  }

  /** Returns what is known of the path's longest datagrams. */
  PathMtu.State pathMtu() {
    return mtu.state();
  }

  /** Returns when to {@link #watchPath} again. */
  long nextNanos() {
    return isUdp() ? mtu.nextNanos() : PathMtu.NEVER;
  }
}
