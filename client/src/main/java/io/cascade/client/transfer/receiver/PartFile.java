package io.cascade.client.transfer.receiver;

import io.cascade.client.entries.FilePermissions;
import io.cascade.client.transfer.FileName;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Crc32c;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.content.Extents.Extent;
import io.cascade.client.transfer.content.Zeros;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.ClaimedPath;
import io.cascade.command.FileKind;
import io.cascade.command.OwnerOnlyFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An incomplete file: {@code .NAME.cascade-part}, a name that users do not give to their files. It
 * gets its own name only in {@link #commit}; closed without that, it is deleted. If the sender
 * identifies the file, {@code .NAME.cascade-journal} records what was written, and both may be kept
 * for a later transfer of the same file.
 *
 * <p>It holds one state: empty, begun, or committed, which decides what {@link #close} and {@link
 * #keep} leave.
 */
final class PartFile implements ArrivingFile {

  /** Longest name of a file. */
  private static final int MOST_NAME_BYTES = 255;

  /** Most bytes that a power failure may lose where files are forced to disk. */
  private static final long SYNC_BYTES = 64L << 20;

  private static final long SYNC_NANOS = 5_000_000_000L;

  private static final Set<PosixFilePermission> OWNER_ONLY =
      Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

  private final Path target;
  private final Path part;
  private final ClaimedPath claim;
  private final FileChannel channel;
  private final OutputTarget output;
  private final HeaderFields fields;
  private final @Nullable Journal journal;
  private final Path journalPath;
  private final PartHoles holes;
  private boolean committed;
  private boolean empty;
  private long unsyncedBytes;
  private long syncedNanos = System.nanoTime();

  private PartFile(
      Path target,
      Path part,
      ClaimedPath claim,
      FileChannel channel,
      OutputTarget output,
      TransferHeader header,
      @Nullable Journal journal) {
    this.target = target;
    this.part = part;
    this.claim = claim;
    this.channel = channel;
    this.output = output;
    this.fields = header.fields();
    this.journal = journal;
    this.holes =
        header.sizeKnown() && header.dataBytes() < header.size()
            ? PartHoles.in(part, channel)
            : PartHoles.none(channel);
    this.journalPath = sibling(target, FileName.JOURNAL_SUFFIX);
    this.empty = true;
  }

  /** The hidden file beside one, with a name that file systems accept. */
  static Path sibling(Path target, String suffix) {
    String name = String.valueOf(target.getFileName());
    int most = MOST_NAME_BYTES - 1 - suffix.length();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > most) {
      int kept = most - 9;
      while ((bytes[kept] & 0xC0) == 0x80) {
        kept--; // Cut between two characters.
      }
      int crc = Crc32c.of(ByteBuffer.wrap(bytes));
      name =
          new String(bytes, 0, kept, StandardCharsets.UTF_8)
              + "~"
              + HexFormat.of().toHexDigits(crc);
    }
    return target.resolveSibling("." + name + suffix);
  }

  /**
   * Creates the file, or resumes what an earlier transfer of the same one has left.
   *
   * @param header whose size is that of the bytes that will be written, where it is known
   * @throws TransferFailed naming the fix where the file may not or cannot be written
   */
  static PartFile create(Path target, OutputTarget output, TransferHeader header)
      throws TransferFailed {
    if (Files.isDirectory(target)) {
      throw new TransferFailed(target + " is a folder");
    }
    if (!output.overwrite() && Files.exists(target)) {
      throw exists(target);
    }
    requireReplaceable(target);
    Path part = sibling(target, FileName.PART_SUFFIX);
    ClaimedPath claim = ClaimedPath.of(part);
    if (claim == null) {
      throw arriving(target);
    }
    FileChannel channel = null;
    Journal journal = null;
    try {
      boolean isPrivate = header.fields().permissions() != null; // Otherwise the umask applies.
      channel = open(part, isPrivate);
      lock(channel, part, target);
      if (FileKind.hasOtherNames(part)) { // The file arrived, and a kill left both names.
        Files.delete(part);
        channel.close();
        channel = open(part, isPrivate);
        lock(channel, part, target);
      }
      UUID origin = header.fields().origin();
      long held = 0;
      if (origin == null || !header.sizeKnown()) {
        Files.deleteIfExists(sibling(target, FileName.JOURNAL_SUFFIX));
      } else {
        journal =
            Journal.open(
                sibling(target, FileName.JOURNAL_SUFFIX), origin, header.size(), header.name());
        held = journal.load(channel.size()).ranges().bytes();
      }
      if (held == 0) {
        channel.truncate(0); // Left by a receiver that was killed, or of another file.
      }
      PartFile made = new PartFile(target, part, claim, channel, output, header, journal);
      made.empty = held == 0;
      try {
        made.requireSpace(header, held);
      } catch (IOException e) {
        made.closeFiles();
        throw e;
      }
      return made;
    } catch (TransferFailed | RuntimeException | Error e) {
      close(journal, channel, claim);
      throw e;
    } catch (IOException e) {
      close(journal, channel, claim);
      throw new TransferFailed("cannot write " + part + ": " + reason(e), e);
    }
  }

  private static FileChannel open(Path part, boolean isPrivate) throws IOException {
    if (isPrivate && Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) {
      setPermissions(part, OWNER_ONLY); // It may have been left with the sender's permissions.
    }
    return FileChannel.open(
        part,
        Set.of(
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            LinkOption.NOFOLLOW_LINKS),
        isPrivate ? OwnerOnlyFile.attributes(part) : new FileAttribute<?>[0]);
  }

  /**
   * Refuses a file that cannot fit before its first byte is sent.
   *
   * @param held bytes that are held already
   */
  private void requireSpace(TransferHeader header, long held) throws IOException {
    long free = Files.getFileStore(part).getUsableSpace();
    long needed = Math.min(header.size() - held, header.dataBytes() - holes.dataBytes(held));
    if (needed > free) {
      if (held == 0) {
        Files.delete(part);
        Files.deleteIfExists(journalPath);
      }
      throw new TransferFailed(
          "no room for %d bytes in %s: %d are free, %d are missing; fix: make room, or --output elsewhere"
              .formatted(needed, part.toAbsolutePath().getParent(), free, needed - free));
    }
  }

  private static void requireReplaceable(Path target) throws TransferFailed {
    try {
      FileKind.requireReplaceable(target);
    } catch (IOException e) {
      throw new TransferFailed(
          target + ": " + reason(e) + "; fix: --output with the name of a file, or of a folder", e);
    }
  }

  /** Excludes other senders and other receivers until the channel is closed. */
  private static void lock(FileChannel channel, Path part, Path target) throws IOException {
    try {
      if (channel.tryLock() == null) {
        throw new TransferFailed(
            part + " is being written by another receiver; fix: stop it, or --output elsewhere");
      }
    } catch (OverlappingFileLockException e) {
      throw arriving(target); // Locked through another path.
    }
  }

  private static TransferFailed arriving(Path target) {
    return new TransferFailed(
        target + " is arriving from another sender; fix: wait for it, or send --name NAME");
  }

  @Override
  public void write(ByteBuffer bytes, long offset) throws TransferFailed {
    try {
      ByteBuffer block = bytes.duplicate();
      long at = offset;
      while (bytes.hasRemaining()) {
        at += channel.write(bytes, at);
      }
      empty = false;
      Journal records = journal;
      if (records != null && block.hasRemaining()) {
        records.append(new Extent(offset, block.remaining(), Crc32c.of(block)));
        syncNowAndThen(records, block.remaining());
      }
    } catch (IOException e) {
      throw new TransferFailed("cannot write " + part + ": " + reason(e), e);
    }
  }

  @Override
  public void leaveHole(long offset, int length) throws TransferFailed {
    try {
      holes.leave(offset, length);
      empty = false;
      Journal records = journal;
      if (records != null) {
        records.append(new Extent(offset, length, Zeros.crc(length)));
      }
    } catch (IOException e) {
      throw new TransferFailed("cannot write " + part + ": " + reason(e), e);
    }
  }

  /** Data first: a record without its data costs a check, data without its record is sent again. */
  private void syncNowAndThen(Journal records, int bytes) throws IOException {
    unsyncedBytes += bytes;
    long now = System.nanoTime();
    if (output.sync() && (unsyncedBytes >= SYNC_BYTES || now - syncedNanos >= SYNC_NANOS)) {
      channel.force(false);
      records.force();
      unsyncedBytes = 0;
      syncedNanos = System.nanoTime();
    }
  }

  @Override
  public void read(ByteBuffer into, long offset) throws TransferFailed {
    try {
      long at = offset;
      while (into.hasRemaining()) {
        int zeros = holes.bytesFrom(at, into.remaining());
        if (zeros > 0) {
          Zeros.put(into, zeros);
          at += zeros;
          continue;
        }
        int read = channel.read(into, at);
        if (read < 0) {
          throw new TransferFailed(part + " became shorter while it was written");
        }
        at += read;
      }
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + part + ": " + reason(e), e);
    }
  }

  @Override
  public boolean isKept() {
    return journal != null && !empty;
  }

  @Override
  public Extents held() throws TransferFailed {
    Journal records = journal;
    try {
      return records == null ? new Extents(0) : records.load(channel.size());
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + journalPath + ": " + reason(e), e);
    }
  }

  @Override
  public void strike(List<Extent> damaged) throws TransferFailed {
    Journal records = journal;
    try {
      for (Extent one : damaged) {
        if (records != null) {
          records.strike(one);
        }
      }
    } catch (IOException e) {
      throw new TransferFailed("cannot write " + journalPath + ": " + reason(e), e);
    }
  }

  @Override
  public Path commit() throws TransferFailed {
    try {
      if (output.sync()) {
        channel.force(false); // The slow part, while only the owner can read the part file.
      }
      makeAsItWas();
      if (output.sync()) {
        channel.force(true);
      }
      if (output.overwrite()) {
        FileKind.requireReplaceable(target); // Another process may have created it meanwhile.
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
      } else {
        FileKind.moveUnlessThere(part, target);
      }
      committed = true;
      if (output.sync()) {
        OwnerOnlyFile.forceName(target); // Otherwise a power failure may lose the name.
      }
      Files.deleteIfExists(journalPath);
      return target;
    } catch (FileAlreadyExistsException e) {
      throw exists(target);
    } catch (IOException e) {
      throw new TransferFailed("cannot rename " + part + ": " + reason(e), e);
    }
  }

  /**
   * Sets the attributes that the sender sent. A file system that does not have one, or does not
   * allow setting it, is accepted nevertheless.
   */
  private void makeAsItWas() {
    Instant modified = fields.modified();
    Set<PosixFilePermission> permissions = fields.permissions();
    if (permissions != null) {
      setPermissions(part, permissions);
    }
    if (modified != null) {
      try {
        Files.getFileAttributeView(part, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
            .setTimes(FileTime.from(modified), null, null);
      } catch (IOException e) {
        // Only the content matters.
      }
    }
  }

  private static void setPermissions(Path part, Set<PosixFilePermission> permissions) {
    try {
      FilePermissions.set(part, permissions);
    } catch (IOException | UnsupportedOperationException e) {
      // Only the content matters.
    }
  }

  static TransferFailed exists(Path target) {
    return new TransferFailed(target + " exists already; the receiver overwrites with --overwrite");
  }

  /** The system's message, without the path. */
  static String reason(IOException e) {
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return String.valueOf(failure.getReason());
    }
    if (e instanceof java.nio.file.NoSuchFileException) {
      return "no such folder";
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      return "permission denied";
    }
    return String.valueOf(e.getMessage());
  }

  private static void closeQuietly(@Nullable Closeable open) {
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        // No data was written.
      }
    }
  }

  /** Closing any descriptor of the file releases the lock. */
  private void closeFiles() {
    holes.close();
    close(journal, channel, claim);
  }

  private static void close(
      @Nullable Journal journal, @Nullable FileChannel channel, ClaimedPath claim) {
    closeQuietly(journal);
    closeQuietly(channel);
    claim.close();
  }

  @Override
  public void keep() {
    if (isKept()) {
      closeFiles();
    } else {
      close();
    }
  }

  @Override
  public void close() {
    try {
      if (!committed) {
        Files.deleteIfExists(journalPath);
        // Before the lock is released, so that the deleted file is this one's.
        Files.deleteIfExists(part);
      }
    } catch (IOException e) {
      // The file keeps its temporary name, which marks it as incomplete.
    }
    closeFiles();
  }

  /** Advice for the user about a kept file. */
  static String advice(Path target) {
    return "%s is kept: the same send resumes it; to discard it, delete it and %s"
        .formatted(
            sibling(target, FileName.PART_SUFFIX),
            sibling(target, FileName.JOURNAL_SUFFIX).getFileName());
  }
}
