package io.cascade.client.transfer.coded;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.client.transfer.wire.TransferHeader.Purpose;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

/**
 * Exchange on a TCP connection of its own that gives both ends the key of a coded session: the
 * sender chooses the key, the receiver names the UDP port where it expects the session.
 *
 * <pre>
 * sender:    a {@link TransferHeader} whose transfer is the session's name, then
 *  0 32  key
 * receiver:
 *  0  4  'C' 'S' 'C' 'I'
 *  4  2  UDP port, big-endian; 0 where it accepts no coded session
 * </pre>
 *
 * The session is protected as well as the connection is: with a code or key the session's key is
 * encrypted; to a receiver that accepts every sender it is sent in clear text. A receiver that does
 * not know the exchange answers with a refusal.
 *
 * @param name by which the receiver finds the key
 * @param key 32 bytes
 */
@SuppressWarnings("ArrayRecordComponent") // Private to this package, and never modified.
record CodedInvitation(UUID name, byte[] key) {
  static final int KEY_BYTES = 32;
  private static final byte[] MAGIC = {'C', 'S', 'C', 'I'};
  private static final int ANSWER_BYTES = 6;

  /** A new random session. */
  static CodedInvitation random() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new CodedInvitation(UUID.randomUUID(), key);
  }

  /** The session's name as encoded in a handshake. */
  byte[] nameBytes() {
    return bytes(name);
  }

  /** Reads the rest of an invitation, whose first part is a header. */
  static CodedInvitation read(TransferHeader header, ByteConnection from) throws IOException {
    ByteBuffer key = ByteBuffer.allocate(KEY_BYTES);
    Channels.readFully(from, key);
    return new CodedInvitation(header.transfer(), key.array());
  }

  /**
   * Sends it and waits for the answer.
   *
   * @return the UDP port where the receiver expects the session; 0 where it accepts none
   */
  int send(ByteConnection to) throws IOException {
    ByteBuffer header =
        new TransferHeader("", TransferHeader.UNKNOWN_SIZE, name, Purpose.INVITATION).encode();
    ByteBuffer message =
        ByteBuffer.allocate(header.remaining() + KEY_BYTES).put(header).put(key).flip();
    Channels.writeFully(to, message);
    ByteBuffer answer = ByteBuffer.allocate(ANSWER_BYTES);
    Channels.readFully(to, answer);
    boolean isAnswer = Arrays.equals(Arrays.copyOf(answer.array(), MAGIC.length), MAGIC);
    return isAnswer ? Short.toUnsignedInt(answer.getShort(MAGIC.length)) : 0;
  }

  /**
   * Sends it with this end's addresses to a receiver behind a NAT, and waits for those of the other
   * end:
   *
   * <pre>
   * sender:    header, key, {@link Candidates}
   * receiver:  'C' 'S' 'C' 'I', {@link Candidates}
   * </pre>
   *
   * @return none where it accepts no session
   */
  Candidates exchange(ByteConnection to, Candidates ours) throws IOException {
    ByteBuffer header =
        new TransferHeader("", TransferHeader.UNKNOWN_SIZE, name, Purpose.MEETING_INVITATION)
            .encode();
    ByteBuffer addresses = ours.encode();
    Channels.writeFully(
        to,
        ByteBuffer.allocate(header.remaining() + KEY_BYTES + addresses.remaining())
            .put(header)
            .put(key)
            .put(addresses)
            .flip());
    ByteBuffer magic = ByteBuffer.allocate(MAGIC.length);
    Channels.readFully(to, magic);
    return Arrays.equals(magic.array(), MAGIC) ? Candidates.read(to) : Candidates.NONE;
  }

  /** Answers an invitation with addresses. */
  static void answer(ByteConnection to, Candidates ours) throws IOException {
    ByteBuffer addresses = ours.encode();
    Channels.writeFully(
        to,
        ByteBuffer.allocate(MAGIC.length + addresses.remaining()).put(MAGIC).put(addresses).flip());
    to.shutdownOutput();
  }

  /** Answers an invitation. */
  static void answer(ByteConnection to, int port) throws IOException {
    Channels.writeFully(
        to, ByteBuffer.allocate(ANSWER_BYTES).put(MAGIC).putShort((short) port).flip());
    to.shutdownOutput();
  }

  static byte[] bytes(UUID of) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(of.getMostSignificantBits())
        .putLong(of.getLeastSignificantBits())
        .array();
  }

  static UUID name(byte[] bytes) {
    ByteBuffer from = ByteBuffer.wrap(bytes);
    return new UUID(from.getLong(), from.getLong());
  }
}
