package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The handshakes at the end that answers. Keeps nothing for a datagram that does not prove the key,
 * and sends nothing longer than what it answers. A HELLO that comes again gets the same answer.
 *
 * <p>A session is half open until its peer has sent something under its keys, which a replayed
 * HELLO cannot. Above a number of half-open ones a dialler has to show first that it is at its
 * address; above {@link #MOST_HALF_OPEN} none is answered. Used by one thread.
 */
@SuppressWarnings("ArrayRecordComponent") // of this package, and never changed
public final class Accepting {
  /** Half-open sessions above which a cookie is asked for, where nobody says otherwise. */
  public static final int MOST_WITHOUT_COOKIE = 64;

  static final int MOST_HALF_OPEN = 256;
  private static final int MOST_KEPT = 1_024;

  /** Time that a session may stay half open, and that its answer is kept. */
  public static final long KEPT_NANOS = 5_000_000_000L;

  private final Keys keys;
  private final KnownSessions known;
  private final SecureRandom random;
  private final int mostWithoutCookie;
  private final Cookies cookies;
  private final Map<Caller, Kept> kept = new LinkedHashMap<>();
  private final Map<Integer, Kept> halfOpen = new HashMap<>();
  private long refused;

  /** The keys of diallers. */
  @FunctionalInterface
  public interface Keys {
    /** The key of a name; null where there is none. */
    byte @Nullable [] key(byte[] name);
  }

  /** What is known of sessions that handshakes have begun. */
  public interface KnownSessions {
    /** Knows of none. */
    KnownSessions NONE = new KnownSessions() {};

    /** Whether the dialler with this X25519 key has gone on with a session. */
    default boolean isTaken(byte[] diallersKey) {
      return false;
    }

    /**
     * Whether a session of another dialler is at an address.
     *
     * @param address as it was given with the HELLO
     */
    default boolean isAnothers(byte[] address, byte[] diallersKey) {
      return false;
    }
  }

  /** Outcome of a datagram that may be a HELLO. */
  public sealed interface HelloOutcome {
    /** Nothing is to be sent. */
    record Nothing() implements HelloOutcome {}

    /** A datagram is to be sent to where it came from. */
    record Reply(byte[] datagram) implements HelloOutcome {}

    /**
     * A session begins, half open; the welcome is to be sent from where it receives.
     *
     * @param name of the key that the dialler holds
     * @param diallersKey the same in all handshakes that one dialler has under way at a time, of
     *     which it takes one
     */
    record Opened(byte[] welcome, byte[] name, byte[] diallersKey, Agreement agreement)
        implements HelloOutcome {}
  }

  private record Caller(ByteBuffer address, int connectionId) {}

  private record Kept(
      Caller caller, byte[] helloTranscript, byte[] welcome, int acceptorsId, long untilNanos) {}

  /**
   * @param mostWithoutCookie half-open sessions above which a dialler has to show that it is at its
   *     address; well below the number that there is room for, or a recorded HELLO that is sent
   *     from many addresses takes all of it
   */
  public Accepting(Keys keys, SecureRandom random, int mostWithoutCookie) {
    this(keys, KnownSessions.NONE, random, mostWithoutCookie);
  }

  /**
   * @param known asked before a session is opened: a HELLO of one that stands is not answered, and
   *     where another dialler has the address the sender has to show that it is there
   */
  public Accepting(Keys keys, KnownSessions known, SecureRandom random, int mostWithoutCookie) {
    this.keys = keys;
    this.known = known;
    this.random = random;
    this.mostWithoutCookie = mostWithoutCookie;
    this.cookies = new Cookies(random);
  }

  /**
   * Takes a datagram that is of no session.
   *
   * @param address of the sender, its port included, in any form
   * @param mostDatagramBytes longest datagram that this end wants
   */
  public HelloOutcome onDatagram(
      ByteBuffer datagram, byte[] address, int mostDatagramBytes, long nowNanos) {
    expire(nowNanos);
    if (!HandshakePacket.isOne(datagram)
        || datagram.remaining() < Dialling.LEAST_DATAGRAM_BYTES
        || datagram.remaining() > mostDatagramBytes) {
      return refuse();
    }
    try {
      if (HandshakePacket.read(datagram) instanceof HandshakePacket.Hello hello) {
        return onHello(hello, address, nowNanos);
      }
    } catch (Malformed e) {
      return refuse();
    }
    return refuse();
  }

  private HelloOutcome refuse() {
    refused++;
    return new HelloOutcome.Nothing();
  }

  private HelloOutcome onHello(HandshakePacket.Hello hello, byte[] address, long nowNanos) {
    byte[] key = keys.key(hello.name());
    if (key == null || !MessageDigest.isEqual(hello.macUnder(key), hello.mac())) {
      return refuse();
    }
    Caller caller = new Caller(ByteBuffer.wrap(address.clone()), hello.diallersId());
    Kept before = kept.get(caller);
    if (before != null) {
      return Arrays.equals(before.helloTranscript(), hello.transcript())
          ? new HelloOutcome.Reply(before.welcome())
          : refuse();
    }
    if (known.isTaken(hello.agreementKey())) {
      return refuse(); // A recorded one, or one that was late: agreeing on keys costs time.
    }
    boolean hasToProve =
        halfOpen.size() >= mostWithoutCookie || known.isAnothers(address, hello.agreementKey());
    if (hasToProve && !cookies.isGood(hello.cookie(), address, nowNanos)) {
      return new HelloOutcome.Reply(
          HandshakePacket.Retry.signed(key, hello, cookies.make(address, nowNanos)).encode());
    }
    if (halfOpen.size() >= MOST_HALF_OPEN || kept.size() >= MOST_KEPT) {
      return refuse();
    }
    return open(key, hello, caller, nowNanos);
  }

  private HelloOutcome open(byte[] key, HandshakePacket.Hello hello, Caller caller, long nowNanos) {
    AgreementKey own = new AgreementKey();
    byte[] shared = own.agree(hello.agreementKey());
    if (shared == null) {
      return refuse();
    }
    int id = random.nextInt();
    HandshakePacket.Welcome welcome =
        new HandshakePacket.Welcome(
                hello.diallersId(),
                id,
                own.publicBytes(),
                new byte[HandshakePacket.MAC_BYTES],
                hello.datagramBytes())
            .signed(key, hello);
    byte[] encoded = welcome.encode();
    Kept entry = new Kept(caller, hello.transcript(), encoded, id, nowNanos + KEPT_NANOS);
    kept.put(caller, entry);
    halfOpen.put(id, entry);
    return new HelloOutcome.Opened(
        encoded,
        hello.name(),
        hello.agreementKey(),
        new Agreement(
            id,
            hello.diallersId(),
            hello.datagramBytes(),
            new PacketProtection(
                HandshakePacket.secret(key, shared, hello, welcome, false),
                HandshakePacket.secret(key, shared, hello, welcome, true))));
  }

  /** The dialler of a session has sent something under its keys, or the session is no more. */
  public void settled(int acceptorsId) {
    halfOpen.remove(acceptorsId);
  }

  /**
   * There is no room for a session that was opened: its HELLO is not answered any more, so that the
   * dialler does not take the session for one that stands.
   */
  public void forget(int acceptorsId) {
    Kept entry = halfOpen.remove(acceptorsId);
    if (entry != null) {
      kept.remove(entry.caller());
    }
  }

  private void expire(long nowNanos) {
    Iterator<Kept> oldest = kept.values().iterator();
    while (oldest.hasNext()) {
      Kept entry = oldest.next();
      if (nowNanos - entry.untilNanos() < 0) {
        return;
      }
      halfOpen.remove(entry.acceptorsId());
      oldest.remove();
    }
  }

  /** Sessions whose dialler has not shown yet that it has the keys. */
  public int halfOpen() {
    return halfOpen.size();
  }

  /** Datagrams that were not answered. */
  public long refused() {
    return refused;
  }
}
