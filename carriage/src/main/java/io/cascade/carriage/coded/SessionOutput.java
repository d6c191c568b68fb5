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
 * The output of a session: seals its datagrams and passes them to their carrier. Over UDP,
 * datagrams that are too long for the path are sent as two halves; this class searches for the
 * longest that the path carries.
 */
@SuppressWarnings("ReferenceEquality") // of carriers, which have no equality but identity
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

  /** Returns the carrier of the session's datagrams. */
  DatagramCarrier carrier() {
    return carrier;
  }

  boolean isUdp() {
    return carrier == udp;
  }

  /** Changes the carrier of the datagrams. */
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
   * @return whether there was one; {@link #hasRoom} must be checked before
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

  /** Length before sealing of the longest datagram that is sent while longer ones are halved. */
  int halfBytes() {
    return datagramBytes / 2;
  }

  /** Joins a datagram of the peer that arrived as a half; null if the other half is missing. */
  @Nullable ByteBuffer join(ByteBuffer half) {
    return halves.join(half);
  }

  /**
   * Sends a frame about a carrier over that carrier, at once and whole; drops it if the carrier has
   * no room.
   *
   * @param bytes least length of the datagram before it is sealed
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

  /**
   * Checks whether the path carries what is sent, and searches for a longer datagram if the last
   * search failed.
   */
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

  /** Whether an answer was to a probe of the path. */
  boolean onAnswer(long data, long nowNanos) {
    boolean isProbe = mtu.state() == PathMtu.State.SEARCHING && data == probe;
    if (isProbe) {
      mtu.onProbeAnswered(nowNanos);
    }
    return isProbe;
  }

  /** Returns the state of the search for the path's longest datagram. */
  PathMtu.State pathMtu() {
    return mtu.state();
  }

  /** Returns when to call {@link #watchPath} again. */
  long nextNanos() {
    return isUdp() ? mtu.nextNanos() : PathMtu.NEVER;
  }
}
