package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.content.Crc32c;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * Journal of the blocks that were written to a part file, from which a later receiver learns what
 * it holds. Records are appended after the data that they describe. Invalid records are truncated,
 * and a record that reached the disk before its data is found when the data is read back.
 *
 * <pre>
 * header:  8 magic, 16 origin of the file, 8 its size, 2 length of the name, name, 4 CRC-32C of all that
 * record:  8 offset, 4 length (negative: what was recorded there is damaged), 4 CRC-32C of the
 *          block, 4 CRC-32C of the record
 * </pre>
 *
 * All numbers are big-endian.
 */
final class Journal implements java.io.Closeable {
  private static final byte[] MAGIC = {(byte) 0x89, 'C', 'S', 'C', 'J', '1', 0x0D, 0x0A};
  private static final int RECORD_BYTES = 20;
  private static final int CHECKED_BYTES = 16;
  private static final int RECORDS_AT_ONCE = 4_096;

  private final FileChannel channel;
  private final long headerBytes;
  private final long fileBytes;
  private final ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);

  private Journal(FileChannel channel, long headerBytes, long fileBytes) {
    this.channel = channel;
    this.headerBytes = headerBytes;
    this.fileBytes = fileBytes;
  }

  /**
   * Opens the journal of a file, or starts a new one where there is none or one of another file.
   *
   * @param origin of the file, see {@link HeaderFields#origin}
   */
  static Journal open(Path path, UUID origin, long size, String name) throws IOException {
    ByteBuffer header = header(origin, size, name);
    FileChannel channel =
        FileChannel.open(
            path,
            java.util.Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS),
            OwnerOnlyFile.attributes(path));
    try {
      ByteBuffer found = ByteBuffer.allocate(header.remaining());
      fill(channel, found, 0);
      if (!found.flip().equals(header)) {
        channel.truncate(0);
        write(channel, header.duplicate(), 0);
      }
      return new Journal(channel, header.remaining(), size);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static ByteBuffer header(UUID origin, long size, String name) {
    byte[] encodedName = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer header =
        ByteBuffer.allocate(MAGIC.length + 16 + 8 + 2 + encodedName.length + 4)
            .put(MAGIC)
            .putLong(origin.getMostSignificantBits())
            .putLong(origin.getLeastSignificantBits())
            .putLong(size)
            .putShort((short) encodedName.length)
            .put(encodedName);
    return header.putInt(Crc32c.of(header.duplicate().flip())).flip();
  }

  /**
   * Reads the records, and truncates invalid ones.
   *
   * @param partBytes length of the part file: records beyond it are ignored
   */
  Extents load(long partBytes) throws IOException {
    Extents extents = new Extents(fileBytes);
    ByteBuffer records = ByteBuffer.allocate(RECORDS_AT_ONCE * RECORD_BYTES);
    long at = headerBytes;
    boolean more = true;
    while (more) {
      fill(channel, records.clear(), at);
      more = !records.hasRemaining();
      records.flip();
      while (records.remaining() >= RECORD_BYTES) {
        if (!take(records, partBytes, extents)) {
          more = false;
          break;
        }
        at += RECORD_BYTES;
      }
    }
    channel.truncate(at);
    channel.position(at);
    return extents;
  }

  /** Applies a record; returns false where it is invalid. */
  private boolean take(ByteBuffer records, long partBytes, Extents extents) {
    int check = Crc32c.of(records.slice(records.position(), CHECKED_BYTES));
    long offset = records.getLong();
    int length = records.getInt();
    int crc = records.getInt();
    long end = offset + Math.abs((long) length);
    if (records.getInt() != check || offset < 0 || length == 0 || end < 0 || end > fileBytes) {
      return false;
    }
    if (length < 0 || end > partBytes) {
      extents.remove(offset, end);
    } else {
      extents.add(new Extent(offset, length, crc));
    }
    return true;
  }

  /** Records a block that was written. */
  void append(Extent block) throws IOException {
    append(block.offset(), block.length(), block.crc());
  }

  /** Records that a block is damaged. */
  void strike(Extent block) throws IOException {
    append(block.offset(), -block.length(), block.crc());
  }

  private void append(long offset, int length, int crc) throws IOException {
    record.clear().putLong(offset).putInt(length).putInt(crc);
    record.putInt(Crc32c.of(record.duplicate().flip())).flip();
    long start = channel.position();
    try {
      while (record.hasRemaining()) {
        channel.write(record);
      }
    } catch (IOException e) {
      channel.position(start); // The next record must begin where this one did.
      throw e;
    }
  }

  /** Forces it to disk. */
  void force() throws IOException {
    channel.force(false);
  }

  private static void fill(FileChannel channel, ByteBuffer into, long offset) throws IOException {
    long at = offset;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      if (read < 0) {
        return;
      }
      at += read;
    }
  }

  private static void write(FileChannel channel, ByteBuffer from, long offset) throws IOException {
    long at = offset;
    while (from.hasRemaining()) {
      at += channel.write(from, at);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
