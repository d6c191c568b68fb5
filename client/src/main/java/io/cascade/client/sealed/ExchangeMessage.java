package io.cascade.client.sealed;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.wire.Refusal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Messages by which both ends prove before TLS that they have the same secret. Each kind has a
 * fixed length.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'P'
 *  4  1  version: 1
 *  5  1  kind
 *  6  2  length of the following bytes, big-endian
 *  8  …  see {@link Kind}
 * </pre>
 */
final class ExchangeMessage {
  static final byte[] MAGIC = {'C', 'S', 'C', 'P'};
  private static final byte VERSION = 1;
  private static final int HEADER_BYTES = 8;

  /** Kinds, in the order in which they are sent. */
  enum Kind {
    /** From the sender: its round 1. */
    HELLO(1, KeyAgreement.ROUND_1_BYTES),
    /** From the receiver: its rounds 1 and 2. */
    ROUNDS(2, KeyAgreement.ROUND_1_BYTES + KeyAgreement.ROUND_2_BYTES),
    /** From the sender: its round 2, and its proof. */
    SENDER_PROOF(3, KeyAgreement.ROUND_2_BYTES + AgreedKeys.MAC_BYTES),
    /** From the receiver: its certificate's fingerprint, and its proof. */
    RECEIVER_PROOF(4, ReceiverIdentity.FINGERPRINT_BYTES + AgreedKeys.MAC_BYTES);

    private final byte number;
    private final int bytes;

    Kind(int number, int bytes) {
      this.number = (byte) number;
      this.bytes = bytes;
    }
  }

  private ExchangeMessage() {}

  /** Sends a message, whose parts together have the length of its kind. */
  static void write(ByteConnection to, Kind kind, byte[]... parts) throws IOException {
    ByteBuffer message =
        ByteBuffer.allocate(HEADER_BYTES + kind.bytes)
            .put(MAGIC)
            .put(VERSION)
            .put(kind.number)
            .putShort((short) kind.bytes);
    for (byte[] part : parts) {
      message.put(part);
    }
    Channels.writeFully(to, message.flip());
  }

  /**
   * Reads the message that must come next.
   *
   * @throws TransferFailed where the peer refuses, or speaks another version
   * @throws IOException where the bytes are no message, or the connection failed
   */
  static ByteBuffer read(ByteConnection from, Kind kind) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    Channels.readFully(from, header.limit(MAGIC.length));
    byte[] magic = Arrays.copyOf(header.array(), MAGIC.length);
    if (Refusal.begins(magic)) {
      throw new TransferFailed("the receiver refused: " + Refusal.readRest(from));
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException("the peer speaks another protocol");
    }
    Channels.readFully(from, header.limit(HEADER_BYTES));
    header.position(MAGIC.length);
    byte version = header.get();
    if (version != VERSION) {
      throw new TransferFailed(
          ("the other end proves its code by version %d (expected: %d); fix: use the same version"
                  + " of Cascade at both ends")
              .formatted(Byte.toUnsignedInt(version), VERSION));
    }
    if (header.get() != kind.number || Short.toUnsignedInt(header.getShort()) != kind.bytes) {
      throw new IOException("unexpected message (expected: " + kind + ")");
    }
    ByteBuffer body = ByteBuffer.allocate(kind.bytes);
    Channels.readFully(from, body);
    return body.flip();
  }
}
