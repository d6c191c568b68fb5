package io.cascade.client.transfer;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * First message of the sender.
 *
 * <pre>
 *  0  8  magic: 89 'C' 'S' 'C' 'D' 0D 0A 1A (shows at once when something rewrote line ends)
 *  8  1  version: 2
 *  9  1  flags: 1 for a test, of which nothing is kept ({@link TestReception}); 2 where the sender
 *        connects again, so that the receiver keeps what has arrived while there is no connection.
 *        A receiver refuses flags that it does not know
 * 10  2  length of the name
 * 12  8  size of the file, -1 where the sender does not know it
 * 20 16  the transfer, a random number: connections that give the same one bring blocks of one file
 * 36  …  name, UTF-8
 * </pre>
 *
 * All numbers are big-endian. Blocks follow ({@link Block}).
 *
 * @param name what the sender calls the file; a receiver trusts nothing in it, see {@link
 *     #safeName}
 * @param size in bytes, or {@link #UNKNOWN_SIZE}
 * @param transfer which every connection of the transfer names
 * @param test whether the receiver keeps nothing of it
 * @param resumable whether the sender connects again when its last connection breaks
 */
public record TransferHeader(
    String name, long size, UUID transfer, boolean test, boolean resumable) {
  public static final long UNKNOWN_SIZE = -1;

  static final byte[] MAGIC = {(byte) 0x89, 'C', 'S', 'C', 'D', 0x0D, 0x0A, 0x1A};
  static final int FIXED_BYTES = 36;
  static final int MAX_NAME_BYTES = 1_024;
  private static final byte VERSION = 2;
  private static final byte TEST = 1;
  private static final byte RESUMABLE = 2;
  private static final int LONGEST_FILE_NAME = 200;

  public TransferHeader {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "name: " + length + " bytes (expected: at most " + MAX_NAME_BYTES + ")");
    }
    if (size < UNKNOWN_SIZE) {
      throw new IllegalArgumentException("size: " + size + " (expected: >= 0, or -1 for unknown)");
    }
  }

  /** Begins a transfer of its own. */
  public TransferHeader(String name, long size) {
    this(name, size, UUID.randomUUID(), false, false);
  }

  /** A test of a path. Its receiver keeps nothing. */
  static TransferHeader ofTest() {
    return new TransferHeader("test", UNKNOWN_SIZE, UUID.randomUUID(), true, false);
  }

  /** The same transfer by a sender that connects again when its last connection breaks. */
  public TransferHeader asResumable() {
    return new TransferHeader(name, size, transfer, test, true);
  }

  public boolean sizeKnown() {
    return size != UNKNOWN_SIZE;
  }

  ByteBuffer encode() {
    byte[] encodedName = name.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(FIXED_BYTES + encodedName.length)
        .put(MAGIC)
        .put(VERSION)
        .put(flags())
        .putShort((short) encodedName.length)
        .putLong(size)
        .putLong(transfer.getMostSignificantBits())
        .putLong(transfer.getLeastSignificantBits())
        .put(encodedName)
        .flip();
  }

  private byte flags() {
    return (byte) ((test ? TEST : 0) | (resumable ? RESUMABLE : 0));
  }

  /**
   * Fields before the name.
   *
   * @param nameBytes length of the name that follows
   */
  record Fixed(int nameBytes, long size, UUID transfer, int flags) {}

  /**
   * Reads the fixed part.
   *
   * @throws TransferFailed where this is no header, or one of a newer Cascade
   */
  static Fixed fixed(ByteBuffer fixed) throws TransferFailed {
    byte[] magic = new byte[MAGIC.length];
    fixed.get(magic);
    if (!java.util.Arrays.equals(magic, MAGIC)) {
      throw new TransferFailed("the sender does not speak this protocol");
    }
    int version = Byte.toUnsignedInt(fixed.get());
    int flags = Byte.toUnsignedInt(fixed.get());
    if (version != VERSION || flags > RESUMABLE) {
      throw new TransferFailed(
          "the sender speaks version %d with flags %d (expected: version %d, flags 0 to 2); use the same Cascade at both ends"
              .formatted(version, flags, VERSION));
    }
    int length = Short.toUnsignedInt(fixed.getShort());
    if (length > MAX_NAME_BYTES) {
      throw new TransferFailed(
          "header: a name of " + length + " bytes (expected: at most " + MAX_NAME_BYTES + ")");
    }
    long size = fixed.getLong();
    if (size < UNKNOWN_SIZE) {
      throw new TransferFailed("header: a size of " + size + " (expected: >= 0, or -1)");
    }
    UUID transfer = new UUID(fixed.getLong(), fixed.getLong());
    return new Fixed(length, size, transfer, flags);
  }

  /** The header, from its two parts. */
  static TransferHeader decode(Fixed fixed, ByteBuffer name) throws TransferFailed {
    try {
      return new TransferHeader(
          StandardCharsets.UTF_8.newDecoder().decode(name).toString(),
          fixed.size,
          fixed.transfer,
          fixed.flags == TEST,
          fixed.flags == RESUMABLE);
    } catch (CharacterCodingException e) {
      throw new TransferFailed("header: the name is not UTF-8", e);
    }
  }

  /**
   * The name as a file in one folder: the part after the last separator, without control
   * characters, not hidden, not longer than file systems take. Never empty.
   */
  public String safeName() {
    String last = name.substring(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1);
    StringBuilder safe = new StringBuilder();
    int bytes = 0;
    for (int point : last.codePoints().toArray()) {
      boolean bidirectional = Character.getType(point) == Character.FORMAT;
      if (Character.isISOControl(point) || bidirectional) {
        continue;
      }
      bytes += Character.toString(point).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_FILE_NAME) {
        break;
      }
      safe.appendCodePoint(safe.isEmpty() && point == '.' ? '_' : point);
    }
    return safe.isEmpty() ? "received" : safe.toString();
  }
}
