package io.cascade.client.transfer;

import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a header says of a file beside its name and size. Each field has a number of one byte, a
 * length of two bytes and its value; a receiver passes over those that it does not know.
 *
 * <pre>
 * 1  16  origin, see {@link Original#origin}
 * </pre>
 *
 * @param origin which file it is; null where no later transfer can go on with it
 */
public record HeaderFields(@Nullable UUID origin) {
  /** Nothing is known. */
  public static final HeaderFields NONE = new HeaderFields(null);

  static final int MAX_BYTES = 1_024;
  private static final int ORIGIN = 1;
  private static final int ORIGIN_BYTES = 16;
  private static final int PREFIX_BYTES = 3;

  byte[] encode() {
    ByteBuffer fields = ByteBuffer.allocate(MAX_BYTES);
    UUID file = origin;
    if (file != null) {
      fields.put((byte) ORIGIN).putShort((short) ORIGIN_BYTES);
      fields.putLong(file.getMostSignificantBits()).putLong(file.getLeastSignificantBits());
    }
    byte[] encoded = new byte[fields.position()];
    fields.flip().get(encoded);
    return encoded;
  }

  /**
   * @throws TransferFailed where a field does not end within them
   */
  static HeaderFields decode(ByteBuffer fields) throws TransferFailed {
    UUID origin = null;
    while (fields.hasRemaining()) {
      if (fields.remaining() < PREFIX_BYTES) {
        throw damaged();
      }
      int number = Byte.toUnsignedInt(fields.get());
      int length = Short.toUnsignedInt(fields.getShort());
      if (length > fields.remaining()) {
        throw damaged();
      }
      ByteBuffer value = fields.slice(fields.position(), length);
      fields.position(fields.position() + length);
      if (number == ORIGIN && length == ORIGIN_BYTES) {
        origin = new UUID(value.getLong(), value.getLong());
      }
    }
    return new HeaderFields(origin);
  }

  private static TransferFailed damaged() {
    return new TransferFailed("header: a field does not end");
  }
}
