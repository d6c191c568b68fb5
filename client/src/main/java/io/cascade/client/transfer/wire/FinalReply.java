package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.StallGuard;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.command.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * Last message of the receiver: the file is complete under its name, or never will be.
 *
 * <pre>
 *  0  4  'C' 'S' 'C' 'A'
 *  4  1  1 = the file is complete, 0 = refused
 *  5  8  bytes of the file that arrived
 * 13 32  their SHA-256; zeroes where refused
 * 45  2  length of the reason
 * 47  …  reason, UTF-8; empty where the file is complete
 * </pre>
 *
 * @param accepted whether the file is complete and has the sender's digest
 * @param bytes that arrived
 * @param reason why not, for the sender's user
 */
public record FinalReply(boolean accepted, long bytes, Sha256 sha256, String reason)
    implements Reply {
  static final byte[] MAGIC = {'C', 'S', 'C', 'A'};
  private static final int FIXED_BYTES = 47;
  private static final Sha256 NONE = new Sha256(new byte[Sha256.BYTES]);

  /** The file is complete. */
  public static FinalReply stands(long bytes, Sha256 sha256) {
    return new FinalReply(true, bytes, sha256, "");
  }

  /** The file was refused for a reason, after so many bytes. */
  public static FinalReply refused(long bytes, String reason) {
    return new FinalReply(false, bytes, NONE, reason);
  }

  @Override
  public ByteBuffer encode() {
    byte[] why = reason.getBytes(StandardCharsets.UTF_8);
    if (why.length > Block.MAX_REASON_BYTES) {
      why = Arrays.copyOf(why, Block.MAX_REASON_BYTES);
    }
    return ByteBuffer.allocate(FIXED_BYTES + why.length)
        .put(MAGIC)
        .put((byte) (accepted ? 1 : 0))
        .putLong(bytes)
        .put(sha256.bytes())
        .putShort((short) why.length)
        .put(why)
        .flip();
  }

  /**
   * Sends the reply, and waits for the sender to end the connection. A close with unread bytes,
   * such as the sender's own end, would reset the connection: a relay may pass the reset on before
   * it has read this reply, and the sender would reconnect to a receiver that no longer runs.
   *
   * @param patience how long at most; the connection is closed then
   */
  public void say(ByteConnection connection, Duration patience) throws IOException {
    try (StallGuard _ = new StallGuard(connection, patience)) {
      Channels.writeFully(connection, encode());
      connection.shutdownOutput();
      ByteBuffer unwanted = ByteBuffer.allocateDirect(64 * 1_024);
      while (connection.read(unwanted.clear()) >= 0) {
        // The guard is not told of moved bytes: it closes the connection after its time-out,
        // whatever still arrives.
      }
    }
  }

  static FinalReply readRest(ReadableByteChannel in) throws IOException {
    ByteBuffer fixed = ByteBuffer.allocate(FIXED_BYTES - MAGIC_BYTES);
    Channels.readFully(in, fixed);
    fixed.flip();
    boolean accepted = fixed.get() == 1;
    long bytes = fixed.getLong();
    byte[] digest = new byte[Sha256.BYTES];
    fixed.get(digest);
    int length = Math.min(Short.toUnsignedInt(fixed.getShort()), Block.MAX_REASON_BYTES);
    ByteBuffer reason = ByteBuffer.allocate(length);
    Channels.readFully(in, reason);
    String why = StandardCharsets.UTF_8.decode(reason.flip()).toString();
    return new FinalReply(accepted, bytes, new Sha256(digest), Printable.line(why));
  }
}
