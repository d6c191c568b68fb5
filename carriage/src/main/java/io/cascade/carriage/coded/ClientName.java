package io.cascade.carriage.coded;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The name of a client's sessions to the first relay of a chain, in their handshakes.
 *
 * <pre>
 *  2 | chain 16 bytes
 * </pre>
 */
public record ClientName(UUID chain) {
  private static final byte OF_A_CLIENT = 2;
  private static final int BYTES = 17;

  public byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(OF_A_CLIENT)
        .putLong(chain.getMostSignificantBits())
        .putLong(chain.getLeastSignificantBits())
        .array();
  }

  /** Parses a name; null if it is not that of a client. */
  public static @Nullable ClientName decode(byte[] name) {
    if (name.length != BYTES || name[0] != OF_A_CLIENT) {
      return null;
    }
    ByteBuffer from = ByteBuffer.wrap(name, 1, BYTES - 1);
    return new ClientName(new UUID(from.getLong(), from.getLong()));
  }
}
