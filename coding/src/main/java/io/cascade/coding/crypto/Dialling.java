package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The handshake at the dialling end. Like a session, it receives datagrams and times and is polled
 * for them. Repeats its HELLO after 40 ms, doubling up to 200 ms. The first five HELLOs are as long
 * as the longest requested datagram, and so are their answers; if none is answered it begins anew,
 * under the next connection id, with {@link #LEAST_DATAGRAM_BYTES}. So a length that is answered
 * passes in both directions. Over a connection, which loses nothing, it sends its HELLO once, and
 * once more with a cookie.
 */
public final class Dialling {
  /** Length that every path is expected to carry: 1,280 bytes with the IP and UDP headers. */
  public static final int LEAST_DATAGRAM_BYTES = 1_232;

  private static final long FIRST_WAIT_NANOS = 40_000_000;
  private static final long LONGEST_WAIT_NANOS = 200_000_000;
  private static final int LONG_TRIES = 5;

  private final byte[] key;
  private final byte[] name;
  private int connectionId;
  private int datagramBytes;
  private final long deadlineNanos;
  private final AgreementKey own;
  private final Repetition repetition;
  private byte[] cookie = new byte[0];
  private DiallingState state = DiallingState.HELLO_SENT;
  private int tries;
  private long nextNanos;
  private @Nullable Agreement agreement;

  /** How an unanswered HELLO is repeated. */
  public enum Repetition {
    /** Repeats have {@link #LEAST_DATAGRAM_BYTES} after the first five. */
    SHORTER_LATER,
    /** Repeats are as long as the first one. */
    SAME_LENGTH,
    /** Not repeated: the connection is reliable. */
    NONE
  }

  /**
   * @param key that both ends hold, 32 bytes
   * @param name by which the peer finds it, 64 bytes at most
   * @param connectionId that the peer must write into its datagrams
   * @param datagramBytes longest requested datagram, at least {@link #LEAST_DATAGRAM_BYTES}
   * @param deadlineNanos when the handshake fails
   */
  public Dialling(
      byte[] key,
      byte[] name,
      int connectionId,
      int datagramBytes,
      Repetition repetition,
      long nowNanos,
      long deadlineNanos) {
    this(
        key,
        name,
        connectionId,
        datagramBytes,
        new AgreementKey(),
        repetition,
        nowNanos,
        deadlineNanos);
  }

  /**
   * @param own its public half shows the acceptor that two handshakes are of one dialler
   */
  Dialling(
      byte[] key,
      byte[] name,
      int connectionId,
      int datagramBytes,
      AgreementKey own,
      Repetition repetition,
      long nowNanos,
      long deadlineNanos) {
    if (name.length > HandshakePacket.MOST_NAME_BYTES || datagramBytes < LEAST_DATAGRAM_BYTES) {
      throw new IllegalArgumentException(
          "name: " + name.length + " bytes, datagrams: " + datagramBytes + " bytes");
    }
    this.key = key.clone();
    this.name = name.clone();
    this.connectionId = connectionId;
    this.datagramBytes = datagramBytes;
    this.own = own;
    this.repetition = repetition;
    this.deadlineNanos = deadlineNanos;
    this.nextNanos = nowNanos;
  }

  public DiallingState state() {
    return state;
  }

  /** Result of the handshake; null before it has one. */
  public @Nullable Agreement agreement() {
    return agreement;
  }

  /**
   * Returns the datagram to send now; null if none is due. Changes the state when the time has
   * expired.
   */
  public byte @Nullable [] poll(long nowNanos) {
    if (isOver() || nowNanos - nextNanos < 0) {
      return null;
    }
    if (nowNanos - deadlineNanos >= 0) {
      state = state.after(DiallingState.Event.TIMED_OUT);
      return null;
    }
    if (repetition == Repetition.SHORTER_LATER
        && tries == LONG_TRIES
        && datagramBytes > LEAST_DATAGRAM_BYTES) {
      datagramBytes = LEAST_DATAGRAM_BYTES;
      connectionId++;
    }
    long wait = Math.min(FIRST_WAIT_NANOS << Math.min(tries, 4), LONGEST_WAIT_NANOS);
    tries++;
    nextNanos =
        repetition == Repetition.NONE
            ? deadlineNanos
            : nowNanos + Math.min(wait, deadlineNanos - nowNanos);
    return hello().signed(key).encode();
  }

  private HandshakePacket.Hello hello() {
    return new HandshakePacket.Hello(
        connectionId,
        own.publicBytes(),
        name,
        cookie,
        new byte[HandshakePacket.MAC_BYTES],
        datagramBytes);
  }

  /** Returns when to {@link #poll} again; a time in the past means now. */
  public long nextNanos() {
    return isOver() ? Long.MAX_VALUE : nextNanos;
  }

  private boolean isOver() {
    return state == DiallingState.AGREED || state == DiallingState.FAILED;
  }

  /** Takes a datagram; ignores anything but the answer of an end that holds the key. */
  public void onDatagram(ByteBuffer datagram, long nowNanos) {
    if (isOver() || !HandshakePacket.isOne(datagram)) {
      return;
    }
    try {
      switch (HandshakePacket.read(datagram)) {
        case HandshakePacket.Retry retry -> onRetry(retry, nowNanos);
        case HandshakePacket.Welcome welcome -> onWelcome(welcome);
        case HandshakePacket.Hello _ -> {}
      }
    } catch (Malformed e) {
      return; // Not authentic: any host may have sent it.
    }
  }

  private void onRetry(HandshakePacket.Retry retry, long nowNanos) {
    if (retry.diallersId() == connectionId
        && state == DiallingState.HELLO_SENT
        && retry.isSigned(key, hello())) {
      cookie = retry.cookie();
      nextNanos = nowNanos;
      state = state.after(DiallingState.Event.RETRY_ARRIVED);
    }
  }

  private void onWelcome(HandshakePacket.Welcome welcome) {
    HandshakePacket.Hello hello = hello();
    if (welcome.diallersId() != connectionId
        || welcome.datagramBytes() != datagramBytes
        || !MessageDigest.isEqual(welcome.macUnder(key, hello), welcome.mac())) {
      return;
    }
    byte[] shared = own.agree(welcome.agreementKey());
    if (shared == null) {
      return;
    }
    agreement =
        new Agreement(
            connectionId,
            welcome.acceptorsId(),
            datagramBytes,
            new PacketProtection(
                HandshakePacket.secret(key, shared, hello, welcome, true),
                HandshakePacket.secret(key, shared, hello, welcome, false)));
    state = state.after(DiallingState.Event.WELCOME_ARRIVED);
  }
}
