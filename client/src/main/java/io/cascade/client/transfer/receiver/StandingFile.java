package io.cascade.client.transfer.receiver;

import io.cascade.client.transfer.FileName;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Extents;
import io.cascade.client.transfer.wire.TransferHeader;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An existing file with the name, the size and the time of modification of the header: often the
 * sender missed the answer that it arrived. It is read and not written. If its digest is the
 * sender's, it has arrived; otherwise it is refused as any existing file.
 */
final class StandingFile implements ArrivingFile {
  private final Path target;
  private final FileChannel channel;
  private final BasicFileAttributes before;
  private final boolean sync;

  private StandingFile(Path target, FileChannel channel, BasicFileAttributes before, boolean sync) {
    this.target = target;
    this.channel = channel;
    this.before = before;
    this.sync = sync;
  }

  /** The existing file; null where it cannot be the file of the header. */
  static @Nullable StandingFile of(Path target, OutputTarget output, TransferHeader header) {
    if (output.overwrite() || !header.resumable() || !header.sizeKnown()) {
      return null;
    }
    try {
      BasicFileAttributes is = attributes(target);
      boolean mayBe =
          is.isRegularFile()
              && is.size() == header.size()
              && is.lastModifiedTime().toInstant().equals(header.fields().modified());
      return mayBe ? new StandingFile(target, open(target), is, output.sync()) : null;
    } catch (IOException e) {
      return null; // It does not exist, or cannot be read.
    }
  }

  private static FileChannel open(Path target) throws IOException {
    return FileChannel.open(target, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
  }

  private static BasicFileAttributes attributes(Path target) throws IOException {
    return Files.readAttributes(target, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public void write(ByteBuffer bytes, long offset) throws TransferFailed {
    throw PartFile.exists(target);
  }

  @Override
  public void leaveHole(long offset, int length) throws TransferFailed {
    throw PartFile.exists(target);
  }

  @Override
  public void read(ByteBuffer into, long offset) throws TransferFailed {
    try {
      for (long at = offset; into.hasRemaining(); ) {
        int read = channel.read(into, at);
        if (read < 0) {
          throw PartFile.exists(target);
        }
        at += read;
      }
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + target + ": " + PartFile.reason(e), e);
    }
  }

  @Override
  public Extents held() {
    return Extents.ofWhole(before.size());
  }

  @Override
  public TransferFailed differs(String how) {
    return PartFile.exists(target);
  }

  @Override
  public Path commit() throws TransferFailed {
    try {
      BasicFileAttributes now = attributes(target);
      boolean isSame =
          now.size() == before.size()
              && now.lastModifiedTime().equals(before.lastModifiedTime())
              && Objects.equals(now.fileKey(), before.fileKey());
      if (!isSame) {
        throw PartFile.exists(target); // It changed while it was read.
      }
      if (sync) {
        channel.force(true);
        OwnerOnlyFile.forceName(target);
      }
      removeRemainsOf(target);
      return target;
    } catch (TransferFailed e) {
      throw e;
    } catch (IOException e) {
      throw new TransferFailed("cannot read " + target + ": " + PartFile.reason(e), e);
    }
  }

  /**
   * Removes the remains of a receiver that was killed after it had renamed the file: the journal,
   * and the part file if that is a link to the same file.
   */
  private static void removeRemainsOf(Path target) throws IOException {
    Path part = PartFile.sibling(target, FileName.PART_SUFFIX);
    if (Files.exists(part, LinkOption.NOFOLLOW_LINKS)) {
      if (Files.isSymbolicLink(part) || !Files.isSameFile(part, target)) {
        return; // Belongs to another transfer.
      }
      Files.delete(part);
    }
    Files.deleteIfExists(PartFile.sibling(target, FileName.JOURNAL_SUFFIX));
  }

  @Override
  public String remains() {
    return target + " is unchanged";
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      // The file was only read.
    }
  }
}
