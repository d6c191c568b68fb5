package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The handshake at the end that begins it. Like a session it is given datagrams and times and asked
 * for them. Repeats its HELLO after 40 ms, which doubles up to 200 ms. The first five are as long
 * as the longest datagram wanted, and so are their answers; where none comes it begins anew, under
 * the next connection id, with {@link #LEAST_DATAGRAM_BYTES}. So what is answered fits through the
 * path both ways. Over a connection, which loses nothing, it sends its HELLO once, and once more
 * with a cookie.
 */
public final class Dialling {
  /** Length that every path is expected to carry: 1,280 bytes of IP. */
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

  /** How a HELLO that is not answered is repeated. */
  public enum Repetition {
    /** Repeats have {@link #LEAST_DATAGRAM_BYTES} after the first five. */
    SHORTER_LATER,
    /** Repeats are as long as the first one. */
    SAME_LENGTH,
    /** Nothing is repeated: what is sent arrives. */
    NONE
  }

  /**
   * @param key that both ends have, 32 bytes
   * @param name by which the peer finds it, 64 bytes at most
   * @param connectionId that the peer is to write into its datagrams
   * @param datagramBytes longest datagram wanted, {@link #LEAST_DATAGRAM_BYTES} at least
   * @param deadlineNanos when it fails
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
   * @param own its public half tells the acceptor that two handshakes are of one dialler
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

  /** Result of the handshake; null before its end. */
  public @Nullable Agreement agreement() {
    return agreement;
  }

  /** The datagram to send now; null where none is due. Moves the state when the time is over. */
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

  /** Returns when to {@link #poll} again; a time that has passed means now. */
  public long nextNanos() {
    return isOver() ? Long.MAX_VALUE : nextNanos;
  }

  private boolean isOver() {
    return state == DiallingState.AGREED || state == DiallingState.FAILED;
  }

  /** Takes a datagram; whatever is not the answer of an end that holds the key is ignored. */
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
      return; // Anybody can send anything.
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
