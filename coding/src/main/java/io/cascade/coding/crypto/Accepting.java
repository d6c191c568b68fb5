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
 * The handshakes at the answering end. Stores nothing for a datagram that does not prove the key,
 * and sends nothing longer than the datagram that it answers. A repeated HELLO gets the same
 * answer.
 *
 * <p>A session is half open until its peer has sent a datagram under its keys, which a replayed
 * HELLO cannot. Above a number of half-open sessions a dialler must first prove that it receives at
 * its address; above {@link #MOST_HALF_OPEN} none is answered. Used by one thread.
 */
@SuppressWarnings("ArrayRecordComponent") // used in this package only, and never changed
public final class Accepting {
  /** Default number of half-open sessions above which a cookie is required. */
  public static final int MOST_WITHOUT_COOKIE = 64;

  static final int MOST_HALF_OPEN = 256;
  private static final int MOST_KEPT = 1_024;

  /** Time for which a session may stay half open and its answer is stored. */
  public static final long KEPT_NANOS = 5_000_000_000L;

  private final Keys keys;
  private final KnownSessions known;
  private final SecureRandom random;
  private final int mostWithoutCookie;
  private final Cookies cookies;
  private final Map<Caller, Kept> kept = new LinkedHashMap<>();
  private final Map<Integer, Kept> halfOpen = new HashMap<>();
  private long refused;

  /** Keys of diallers by name. */
  @FunctionalInterface
  public interface Keys {
    /** Returns the key of a name; null if there is none. */
    byte @Nullable [] key(byte[] name);
  }

  /** Sessions that earlier handshakes have begun. */
  public interface KnownSessions {
    /** No sessions. */
    KnownSessions NONE = new KnownSessions() {};

    /** Whether the dialler with this X25519 key already uses a session. */
    default boolean isTaken(byte[] diallersKey) {
      return false;
    }

    /**
     * Whether an address has a session of another dialler.
     *
     * @param address as given with the HELLO
     */
    default boolean isAnothers(byte[] address, byte[] diallersKey) {
      return false;
    }
  }

  /** Outcome of a datagram that may be a HELLO. */
  public sealed interface HelloOutcome {
    /** Nothing is sent. */
    record Nothing() implements HelloOutcome {}

    /** A datagram is sent to the source. */
    record Reply(byte[] datagram) implements HelloOutcome {}

    /**
     * A session begins, half open; the welcome must be sent from the address at which the session
     * receives.
     *
     * @param name of the key that the dialler holds
     * @param diallersKey the same in all concurrent handshakes of one dialler, of which it uses one
     *     session
     */
    record Opened(byte[] welcome, byte[] name, byte[] diallersKey, Agreement agreement)
        implements HelloOutcome {}
  }

  private record Caller(ByteBuffer address, int connectionId) {}

  private record Kept(
      Caller caller, byte[] helloTranscript, byte[] welcome, int acceptorsId, long untilNanos) {}

  /**
   * @param mostWithoutCookie half-open sessions above which a dialler must prove that it receives
   *     at its address; well below the number of available places, or a recorded HELLO sent from
   *     many addresses would take all of them
   */
  public Accepting(Keys keys, SecureRandom random, int mostWithoutCookie) {
    this(keys, KnownSessions.NONE, random, mostWithoutCookie);
  }

  /**
   * @param known queried before a session is opened: a HELLO of an established session is not
   *     answered, and if another dialler has a session with the address, the sender must prove that
   *     it receives there
   */
  public Accepting(Keys keys, KnownSessions known, SecureRandom random, int mostWithoutCookie) {
    this.keys = keys;
    this.known = known;
    this.random = random;
    this.mostWithoutCookie = mostWithoutCookie;
    this.cookies = new Cookies(random);
  }

  /**
   * Takes a datagram that belongs to no session.
   *
   * @param address of the sender, including its port, in any form
   * @param mostDatagramBytes longest datagram that this end accepts
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
      return refuse(); // A recorded HELLO, or a late one: a key agreement costs time.
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

  /** The dialler of a session has sent a datagram under its keys, or the session has ended. */
  public void settled(int acceptorsId) {
    halfOpen.remove(acceptorsId);
  }

  /**
   * There is no room for an opened session: its HELLO is no longer answered, so that the dialler
   * does not consider the session established.
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

  /** Number of sessions whose dialler has not proved yet that it holds the keys. */
  public int halfOpen() {
    return halfOpen.size();
  }

  /** Number of datagrams that were not answered. */
  public long refused() {
    return refused;
  }
}
