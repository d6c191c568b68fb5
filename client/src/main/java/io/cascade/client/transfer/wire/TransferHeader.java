package io.cascade.client.transfer.wire;

import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * First message of the sender.
 *
 * <pre>
 *  0  8  magic: 89 'C' 'S' 'C' 'D' 0D 0A 1A (shows at once when something rewrote line ends)
 *  8  1  version: 4
 *  9  1  purpose of the connection, see {@link Purpose}. A receiver refuses those that it does not
 *        know
 * 10  2  length of the name
 * 12  8  size of the file, -1 where the sender does not know it
 * 20 16  the transfer, a random number: connections that give the same one bring blocks of one file
 * 36  2  length of the fields
 * 38  …  name, UTF-8
 *     …  fields, see {@link HeaderFields}
 * </pre>
 *
 * All numbers are big-endian. Blocks follow ({@link Block}).
 *
 * @param name that the sender gives the file; untrusted, see {@code FileName}
 * @param size in bytes, or {@link #UNKNOWN_SIZE}
 * @param transfer which every connection of the transfer names
 * @param fields further properties of the file
 */
public record TransferHeader(
    String name, long size, UUID transfer, Purpose purpose, HeaderFields fields) {
  /** Size of content of unknown length. */
  public static final long UNKNOWN_SIZE = -1;

  /** Most bytes that a test of a path ({@link Purpose#TEST}) sends. */
  public static final long MOST_TEST_BYTES = 64L << 20;

  /** Distinguishes a header from other beginnings of a connection. */
  public static final byte FIRST_BYTE = (byte) 0x89;

  private static final byte[] MAGIC = {FIRST_BYTE, 'C', 'S', 'C', 'D', 0x0D, 0x0A, 0x1A};
  private static final int FIXED_BYTES = 38;

  /** Length of magic, version and purpose. */
  public static final int VERSION_BYTES = 10;

  static final int MAX_NAME_BYTES = 1_024;
  private static final byte VERSION = 4;
  private static final Duration MOST_AWAITED = Duration.ofDays(7);

  /** Purpose of a connection. */
  public enum Purpose {
    /** Blocks of a file. */
    FILE(0),
    /** Blocks that the receiver discards ({@code TestReception}). */
    TEST(1),
    /**
     * Blocks of a file whose sender reconnects, so that the receiver keeps what has arrived while
     * there is no connection.
     */
    RESUMABLE_FILE(2),
    /** The key of a coded session, which will carry blocks ({@code CodedInvitation}). */
    INVITATION(4),
    /**
     * The same as {@link #INVITATION}, and addresses between which both ends search for a path
     * ({@code Candidates}).
     */
    MEETING_INVITATION(7),
    /**
     * Blocks of a stream of entries ({@link io.cascade.client.entries}), in any order within {@link
     * Block#MOST_ENTRIES_AHEAD}. The receiver reports what it has already ({@link StandingReply}).
     */
    ENTRIES(9);

    private final int number;

    Purpose(int number) {
      this.number = number;
    }

    private static @Nullable Purpose of(int number) {
      for (Purpose one : values()) {
        if (one.number == number) {
          return one;
        }
      }
      return null;
    }
  }

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

  /** Creates a header without further fields. */
  public TransferHeader(String name, long size, UUID transfer, Purpose purpose) {
    this(name, size, transfer, purpose, HeaderFields.NONE);
  }

  /** Creates a header of a new transfer. */
  public TransferHeader(String name, long size) {
    this(name, size, UUID.randomUUID(), Purpose.FILE, HeaderFields.NONE);
  }

  /** Returns the header of the same transfer with further fields. */
  public TransferHeader with(HeaderFields known) {
    return new TransferHeader(name, size, transfer, purpose, known);
  }

  /** Creates a header of a path test, whose bytes the receiver discards. */
  public static TransferHeader ofTest() {
    return new TransferHeader("test", UNKNOWN_SIZE, UUID.randomUUID(), Purpose.TEST);
  }

  /**
   * Returns the header of the same transfer by a sender that reconnects when its last connection
   * fails.
   */
  public TransferHeader asResumable() {
    return new TransferHeader(name, size, transfer, Purpose.RESUMABLE_FILE, fields);
  }

  /** Returns the header of the same transfer for a stream of entries. */
  public TransferHeader asEntries() {
    return new TransferHeader(name, size, transfer, Purpose.ENTRIES, fields);
  }

  /** Whether its content is a stream of entries. */
  public boolean entries() {
    return purpose == Purpose.ENTRIES;
  }

  /** Whether the receiver discards its bytes. */
  public boolean test() {
    return purpose == Purpose.TEST;
  }

  /** Whether the sender reconnects when its last connection fails. */
  public boolean resumable() {
    return purpose == Purpose.RESUMABLE_FILE;
  }

  /**
   * Whether the sender reconnects or begins another transfer of the same origin when its last
   * connection fails.
   */
  public boolean returns() {
    return resumable() || (fields.retries() != null && fields.origin() != null);
  }

  /**
   * How long to wait for a sender that {@link #returns}: as long as it retries, but at most a week.
   *
   * @param patience the least time
   */
  public Duration awaited(Duration patience) {
    Duration said = fields.retries();
    Duration longest = said == null || said.compareTo(MOST_AWAITED) < 0 ? said : MOST_AWAITED;
    return longest == null || longest.compareTo(patience) < 0 ? patience : longest;
  }

  /** Whether the sender knows the size. */
  public boolean sizeKnown() {
    return size != UNKNOWN_SIZE;
  }

  /** Describes the progress for display, with the size if that is known. */
  public String progress(long bytes) {
    return sizeKnown() ? "%d of %d bytes".formatted(bytes, size) : bytes + " bytes";
  }

  /** Bytes outside of holes, as far as is known: the size, where holes are not reported. */
  public long dataBytes() {
    Long data = fields.dataBytes();
    return data == null ? size : Math.min(size, data);
  }

  /** Encodes the message. */
  public ByteBuffer encode() {
    byte[] encodedName = name.getBytes(StandardCharsets.UTF_8);
    byte[] encodedFields = fields.encode();
    return ByteBuffer.allocate(FIXED_BYTES + encodedName.length + encodedFields.length)
        .put(MAGIC)
        .put(VERSION)
        .put((byte) purpose.number)
        .putShort((short) encodedName.length)
        .putLong(size)
        .putLong(transfer.getMostSignificantBits())
        .putLong(transfer.getLeastSignificantBits())
        .putShort((short) encodedFields.length)
        .put(encodedName)
        .put(encodedFields)
        .flip();
  }

  /**
   * Reads the first message of a connection.
   *
   * @return null where the bytes are not a header
   * @throws TransferFailed where it is a header of another version, or an invalid one
   * @throws IOException where the connection ended or failed before
   */
  public static @Nullable TransferHeader read(ReadableByteChannel from) throws IOException {
    ByteBuffer fixed = ByteBuffer.allocate(FIXED_BYTES);
    // The magic first, so that a peer that sends less than a header is not waited for.
    fixed.limit(MAGIC.length);
    Channels.readFully(from, fixed);
    if (!Arrays.equals(Arrays.copyOf(fixed.array(), fixed.position()), MAGIC)) {
      return null;
    }
    fixed.limit(VERSION_BYTES);
    Channels.readFully(from, fixed);
    Purpose purpose = purpose(fixed.duplicate().flip().position(MAGIC.length));
    fixed.limit(FIXED_BYTES);
    Channels.readFully(from, fixed);
    Fixed read = fixed(fixed.flip().position(VERSION_BYTES), purpose);
    ByteBuffer rest = ByteBuffer.allocate(read.nameBytes() + read.fieldsBytes());
    Channels.readFully(from, rest);
    return decode(read, rest.flip());
  }

  /**
   * Fields before the name.
   *
   * @param nameBytes length of the name that follows
   * @param fieldsBytes length of the fields behind it
   */
  private record Fixed(int nameBytes, int fieldsBytes, long size, UUID transfer, Purpose purpose) {}

  /**
   * Reads version and purpose, behind the magic.
   *
   * @throws TransferFailed where they are of another version: the rest has another length then
   */
  private static Purpose purpose(ByteBuffer from) throws TransferFailed {
    int version = Byte.toUnsignedInt(from.get());
    int number = Byte.toUnsignedInt(from.get());
    Purpose purpose = Purpose.of(number);
    if (version != VERSION || purpose == null) {
      throw new TransferFailed(
          ("the sender speaks version %d with purpose %d (expected: version %d, purpose 0, 1, 2, 4,"
                  + " 7 or 9); fix: use the same version of Cascade at both ends")
              .formatted(version, number, VERSION));
    }
    return purpose;
  }

  /**
   * Reads the rest of the fixed part, behind version and purpose.
   *
   * @throws TransferFailed where a value is invalid
   */
  private static Fixed fixed(ByteBuffer fixed, Purpose purpose) throws TransferFailed {
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
    int fieldsBytes = Short.toUnsignedInt(fixed.getShort());
    if (fieldsBytes > HeaderFields.MAX_BYTES) {
      throw new TransferFailed(
          "header: fields of %d bytes (expected: at most %d)"
              .formatted(fieldsBytes, HeaderFields.MAX_BYTES));
    }
    return new Fixed(length, fieldsBytes, size, transfer, purpose);
  }

  /**
   * Creates the header from its two parts.
   *
   * @param rest name and fields
   */
  private static TransferHeader decode(Fixed fixed, ByteBuffer rest) throws TransferFailed {
    ByteBuffer name = rest.slice(rest.position(), fixed.nameBytes);
    ByteBuffer fields = rest.slice(rest.position() + fixed.nameBytes, fixed.fieldsBytes);
    try {
      return new TransferHeader(
          StandardCharsets.UTF_8.newDecoder().decode(name).toString(),
          fixed.size,
          fixed.transfer,
          fixed.purpose,
          HeaderFields.decode(fields));
    } catch (CharacterCodingException e) {
      throw new TransferFailed("header: the name is not UTF-8", e);
    }
  }
}
