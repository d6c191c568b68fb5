package io.cascade.client.sealed;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.content.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * First message of a sender inside TLS, which shows the receiver that the sender has authenticated
 * itself on this connection or on an earlier one.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'T'
 *  4 32  ticket
 * </pre>
 */
final class Ticket {
  private static final byte[] MAGIC = {'C', 'S', 'C', 'T'};
  private static final int TICKET_BYTES = 32;

  private final byte[] value;

  Ticket(byte[] value) {
    this.value = value;
  }

  void show(ByteConnection to) throws IOException {
    Channels.writeFully(
        to, ByteBuffer.allocate(MAGIC.length + TICKET_BYTES).put(MAGIC).put(value).flip());
  }

  static Ticket read(ByteConnection from) throws IOException {
    ByteBuffer message = ByteBuffer.allocate(MAGIC.length + TICKET_BYTES);
    Channels.readFully(from, message);
    byte[] bytes = message.array();
    if (!Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw new IOException("no ticket");
    }
    return new Ticket(Arrays.copyOfRange(bytes, MAGIC.length, bytes.length));
  }

  /**
   * Key for looking it up: a digest, so that the time of the lookup reveals nothing about its
   * value.
   */
  String digest() {
    return Sha256.of(value).toString();
  }

  @Override
  public String toString() {
    return "Ticket"; // Never its value.
  }
}
