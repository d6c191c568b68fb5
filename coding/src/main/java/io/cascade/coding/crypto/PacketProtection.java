package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import io.cascade.coding.wire.PacketHeader;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.crypto.Cipher;

/**
 * Seals the datagrams that a session writes and opens those of its peer: AES-128-GCM, the header
 * authenticated and the rest encrypted, the nonce from the packet number (RFC 9001 §5.3). Packet
 * numbers are visible on the path. A repeated datagram opens again; the session accepts each number
 * once.
 *
 * <p>Used by one thread.
 */
public final class PacketProtection {
  /** Bytes that sealing adds to a datagram. */
  public static final int TAG_BYTES = DirectionKeys.TAG_BYTES;

  private static final int MOST_BYTES = 16_384;

  private final DirectionKeys sending;
  private final DirectionKeys receiving;
  private final byte[] in = new byte[MOST_BYTES];
  private final byte[] out = new byte[MOST_BYTES];
  private long largestSent = -1;
  private long largestReceived = -1;
  private long refused;

  /**
   * @param sendingSecret of the datagrams that this end sends, 32 bytes; the peer's receiving
   *     secret
   * @param receivingSecret of the datagrams that it receives
   */
  public PacketProtection(byte[] sendingSecret, byte[] receivingSecret) {
    this.sending = new DirectionKeys(sendingSecret);
    this.receiving = new DirectionKeys(receivingSecret);
  }

  /**
   * Seals a datagram of the session.
   *
   * @param datagram from its position to its limit; consumed
   * @param into receives it, 16 bytes longer
   * @return the length of the sealed datagram
   */
  public int seal(ByteBuffer datagram, ByteBuffer into) {
    int length = datagram.remaining();
    datagram.get(in, 0, length);
    try {
      ByteBuffer packet = ByteBuffer.wrap(in, 0, length);
      PacketHeader header = PacketHeader.read(packet, largestSent);
      int head = packet.position();
      int sealed = sending.apply(Cipher.ENCRYPT_MODE, header.number(), in, head, length, out, 0);
      largestSent = header.number();
      sending.used(largestSent);
      into.put(in, 0, head).put(out, 0, sealed);
      return head + sealed;
    } catch (Malformed | GeneralSecurityException e) {
      throw new IllegalArgumentException("no datagram of a session", e);
    }
  }

  /**
   * Opens a datagram of the peer.
   *
   * @param datagram consumed
   * @param into receives it, 16 bytes shorter; unchanged if it is not authentic
   * @return whether it is authentic
   */
  public boolean open(ByteBuffer datagram, ByteBuffer into) {
    int length = datagram.remaining();
    if (length > MOST_BYTES) {
      refused++;
      return false;
    }
    datagram.get(in, 0, length);
    try {
      ByteBuffer packet = ByteBuffer.wrap(in, 0, length);
      PacketHeader header = PacketHeader.read(packet, largestReceived);
      int head = packet.position();
      if (header.number() < 0 || packet.remaining() < TAG_BYTES) {
        refused++;
        return false;
      }
      int opened = receiving.apply(Cipher.DECRYPT_MODE, header.number(), in, head, length, out, 0);
      largestReceived = Math.max(largestReceived, header.number());
      receiving.used(largestReceived);
      into.put(in, 0, head).put(out, 0, opened);
      return true;
    } catch (Malformed | GeneralSecurityException e) {
      refused++;
      return false;
    }
  }

  /** Number of datagrams that were not authentic. */
  public long refused() {
    return refused;
  }
}
