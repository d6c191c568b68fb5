package io.cascade.client.entries;

import io.cascade.command.FileKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Remembers in the destination how far a stream has come, and keeps a second receiver away. What
 * was written before the machine started is not believed: the content of files may not have come to
 * the disk, although their names did.
 */
final class CursorJournal implements AutoCloseable {
  static final String NAME = ".cascade-entries";

  private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
  private static final int MOST_BYTES = Names.MOST_PATH_BYTES + 1024;
  private static final int FRAME_BYTES = Integer.BYTES + Long.BYTES;

  /** A cursor, and how many entries before it were refused. */
  record Saved(Cursor cursor, long refused) {}

  private final Path path;
  private final FileChannel channel;
  private final String boot;
  private final Optional<Saved> found;

  private CursorJournal(Path path, FileChannel channel, String boot) throws IOException {
    this.path = path;
    this.channel = channel;
    this.boot = boot;
    this.found = read();
  }

  /**
   * @param folder whose path was opened and is told in messages as {@code told}
   * @throws IOException where it cannot be written, or another receiver writes there
   */
  static CursorJournal open(HeldFolder folder, Path told) throws IOException {
    Path path = folder.at(NAME);
    try {
      FileKind.requireReplaceable(path);
      FileChannel channel =
          FileChannel.open(
              path,
              Set.of(
                  StandardOpenOption.CREATE,
                  StandardOpenOption.READ,
                  StandardOpenOption.WRITE,
                  LinkOption.NOFOLLOW_LINKS),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        lock(channel, told);
        return new CursorJournal(path, channel, Files.readString(BOOT).strip());
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (EntriesFailed e) {
      throw e;
    } catch (IOException e) {
      throw new EntriesFailed(
          "cannot write %s: %s; fix: --output with a folder that can be written"
              .formatted(told.resolve(NAME), EntriesFailed.reason(e)),
          e);
    }
  }

  private static void lock(FileChannel channel, Path told) throws IOException {
    boolean isFree;
    try {
      isFree = channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      isFree = false;
    }
    if (!isFree) {
      throw new EntriesFailed(
          "another receiver writes a folder to "
              + told
              + "; fix: wait for it, or --output elsewhere");
    }
  }

  /** What a receiver before this one left; empty where there is nothing that can be believed. */
  Optional<Saved> found() {
    return found;
  }

  private Optional<Saved> read() throws IOException {
    long size = channel.size();
    if (size < FRAME_BYTES || size > MOST_BYTES) {
      return Optional.empty();
    }
    ByteBuffer all = ByteBuffer.allocate((int) size);
    while (all.hasRemaining() && channel.read(all, all.position()) > 0) {
      // Until it is full.
    }
    all.flip();
    int length = all.getInt();
    long checksum = all.getLong();
    if (length < 0 || length > all.remaining()) {
      return Optional.empty();
    }
    byte[] body = new byte[length];
    all.get(body);
    return checksum == checksum(body) ? parse(body) : Optional.empty();
  }

  private Optional<Saved> parse(byte[] body) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(body))) {
      if (!in.readUTF().equals(boot)) {
        return Optional.empty();
      }
      byte[] name = new byte[Math.clamp(in.readInt(), 0, Names.MOST_PATH_BYTES)];
      in.readFully(name);
      Cursor cursor =
          new Cursor(
              new String(name, StandardCharsets.UTF_8),
              in.readLong(),
              Instant.ofEpochSecond(in.readLong(), in.readInt()),
              in.readLong());
      return Optional.of(new Saved(cursor, in.readLong()));
    } catch (IOException | DateTimeException e) {
      return Optional.empty();
    }
  }

  void save(Cursor cursor, long refused) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    byte[] name = cursor.path().getBytes(StandardCharsets.UTF_8);
    out.writeUTF(boot);
    out.writeInt(name.length);
    out.write(name);
    out.writeLong(cursor.size());
    Instant modified = cursor.modified();
    out.writeLong(modified.getEpochSecond());
    out.writeInt(modified.getNano());
    out.writeLong(cursor.offset());
    out.writeLong(refused);
    byte[] body = bytes.toByteArray();
    ByteBuffer all = ByteBuffer.allocate(FRAME_BYTES + body.length);
    all.putInt(body.length).putLong(checksum(body)).put(body).flip();
    while (all.hasRemaining()) {
      channel.write(all, all.position());
    }
  }

  private static long checksum(byte[] body) {
    CRC32C sum = new CRC32C();
    sum.update(body);
    return sum.getValue();
  }

  /** The stream is whole: nothing is left to remember. */
  void delete() throws IOException {
    Files.deleteIfExists(path);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
