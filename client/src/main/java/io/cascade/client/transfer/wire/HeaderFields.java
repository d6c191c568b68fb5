package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.PermissionBits;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.attribute.PosixFilePermission;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Fields of a header beside the file's name and size. Each field has a number of one byte, a length
 * of two bytes and its value; a receiver skips those that it does not know.
 *
 * <pre>
 * 1  16  origin, see {@code Original#origin}
 * 2  12  time of modification: seconds since 1970 as 8 bytes, nanoseconds as 4
 * 3   2  permissions: the lowest nine bits of a mode
 * 4   8  bytes of data, where the file has holes
 * 5   0  the sender accepts the receiver's load ({@link Load})
 * 6   …  the sender's name, UTF-8
 * 7   4  seconds for which the sender retries after its last connection
 * </pre>
 *
 * @param origin identity of the file; null where no later transfer can resume it
 * @param modified time of modification; null where it has none
 * @param permissions read, write and execute of user, group and others; null where it has none
 * @param dataBytes bytes outside of holes; null where it has none
 * @param hearsLoad whether the sender knows {@link Load}, as this version does
 * @param sender name that the sender gives; null where it gives none. To be made printable
 * @param retries for how long the sender retries after its last connection failed, with another
 *     transfer of the same origin if need be; null where it did not say so
 */
public record HeaderFields(
    @Nullable UUID origin,
    @Nullable Instant modified,
    @Nullable Set<PosixFilePermission> permissions,
    @Nullable Long dataBytes,
    boolean hearsLoad,
    @Nullable String sender,
    @Nullable Duration retries) {
  /** Nothing is known. */
  public static final HeaderFields NONE =
      new HeaderFields(null, null, null, null, true, null, null);

  static final int MAX_BYTES = 1_024;
  private static final int ORIGIN = 1;
  private static final int ORIGIN_BYTES = 16;
  private static final int MODIFIED = 2;
  private static final int MODIFIED_BYTES = 12;
  private static final int PERMISSIONS = 3;
  private static final int PERMISSIONS_BYTES = 2;
  private static final int DATA = 4;
  private static final int DATA_BYTES = 8;
  private static final int HEARS_LOAD = 5;
  private static final int SENDER = 6;
  private static final int RETRIES = 7;
  private static final int RETRIES_BYTES = 4;
  private static final int MOST_SENDER_BYTES = 255;
  private static final int PREFIX_BYTES = 3;

  /** Fields of a file of which only the origin is known. */
  public HeaderFields(@Nullable UUID origin) {
    this(origin, null, null, null, true, null, null);
  }

  /**
   * Returns these fields with the sender's name.
   *
   * @param name cut to 255 bytes
   */
  public HeaderFields from(String name) {
    byte[] encoded = name.getBytes(StandardCharsets.UTF_8);
    String cut =
        new String(encoded, 0, Math.min(encoded.length, MOST_SENDER_BYTES), StandardCharsets.UTF_8);
    return new HeaderFields(origin, modified, permissions, dataBytes, hearsLoad, cut, retries);
  }

  /** Returns these fields for a sender that retries for so long. */
  public HeaderFields retryingFor(Duration longest) {
    return new HeaderFields(origin, modified, permissions, dataBytes, hearsLoad, sender, longest);
  }

  public byte[] encode() {
    ByteBuffer fields = ByteBuffer.allocate(MAX_BYTES);
    UUID file = origin;
    if (file != null) {
      fields.put((byte) ORIGIN).putShort((short) ORIGIN_BYTES);
      fields.putLong(file.getMostSignificantBits()).putLong(file.getLeastSignificantBits());
    }
    Instant time = modified;
    if (time != null) {
      fields.put((byte) MODIFIED).putShort((short) MODIFIED_BYTES);
      fields.putLong(time.getEpochSecond()).putInt(time.getNano());
    }
    Set<PosixFilePermission> allowed = permissions;
    if (allowed != null) {
      fields.put((byte) PERMISSIONS).putShort((short) PERMISSIONS_BYTES);
      fields.putShort((short) PermissionBits.of(allowed));
    }
    Long data = dataBytes;
    if (data != null) {
      fields.put((byte) DATA).putShort((short) DATA_BYTES).putLong(data);
    }
    if (hearsLoad) {
      fields.put((byte) HEARS_LOAD).putShort((short) 0);
    }
    String name = sender;
    if (name != null) {
      byte[] text = name.getBytes(StandardCharsets.UTF_8);
      fields.put((byte) SENDER).putShort((short) text.length).put(text);
    }
    Duration longest = retries;
    if (longest != null) {
      fields.put((byte) RETRIES).putShort((short) RETRIES_BYTES);
      fields.putInt((int) Math.min(longest.toSeconds(), Integer.MAX_VALUE));
    }
    byte[] encoded = new byte[fields.position()];
    fields.flip().get(encoded);
    return encoded;
  }

  /**
   * @throws TransferFailed where a field exceeds them
   */
  public static HeaderFields decode(ByteBuffer fields) throws TransferFailed {
    UUID origin = null;
    Instant modified = null;
    Set<PosixFilePermission> permissions = null;
    Long data = null;
    boolean hearsLoad = false;
    String sender = null;
    Duration retries = null;
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
      } else if (number == MODIFIED && length == MODIFIED_BYTES) {
        modified = time(value.getLong(), value.getInt());
      } else if (number == PERMISSIONS && length == PERMISSIONS_BYTES) {
        permissions = PermissionBits.set(value.getShort());
      } else if (number == DATA && length == DATA_BYTES) {
        data = Math.max(0, value.getLong());
      } else if (number == HEARS_LOAD) {
        hearsLoad = true;
      } else if (number == SENDER && length <= MOST_SENDER_BYTES + 2) {
        sender = StandardCharsets.UTF_8.decode(value).toString();
      } else if (number == RETRIES) { // Earlier senders do not say for how long.
        retries = Duration.ofSeconds(length == RETRIES_BYTES ? Math.max(0, value.getInt()) : 0);
      }
    }
    return new HeaderFields(origin, modified, permissions, data, hearsLoad, sender, retries);
  }

  private static Instant time(long seconds, int nanos) throws TransferFailed {
    try {
      return Instant.ofEpochSecond(seconds, nanos);
    } catch (DateTimeException | ArithmeticException e) {
      throw new TransferFailed("header: a time of %d s".formatted(seconds), e);
    }
  }

  private static TransferFailed damaged() {
    return new TransferFailed("header: a field does not end");
  }
}
