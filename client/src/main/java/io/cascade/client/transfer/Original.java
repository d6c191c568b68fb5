package io.cascade.client.transfer;

import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.client.transfer.content.Holes;
import io.cascade.client.transfer.content.Sha256;
import io.cascade.client.transfer.wire.HeaderFields;
import io.cascade.client.transfer.wire.TransferHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A file as it was when its transfer began. A file that changes while it is read would arrive as a
 * mixture of old and new content, which no digest detects.
 */
public final class Original {
  /** Content that is not a regular file, such as a pipe. It has nothing to compare. */
  public static final Original NONE = new Original(null, null, null);

  private final @Nullable Path path;
  private final @Nullable Traits before;
  private final @Nullable Object changedBefore;

  private Original(@Nullable Path path, @Nullable Traits before, @Nullable Object changedBefore) {
    this.path = path;
    this.before = before;
    this.changedBefore = changedBefore;
  }

  /**
   * @param key identity of the file in its file system; null where that has none
   */
  private record Traits(long size, FileTime modified, @Nullable Object key) {
    static Traits of(Path path) throws IOException {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      return new Traits(now.size(), now.lastModifiedTime(), now.fileKey());
    }
  }

  /** Time of the last change of content or status, which no program can set; null where unknown. */
  private static @Nullable Object changed(Path path) throws IOException {
    return path.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? Files.getAttribute(path, "unix:ctime")
        : null;
  }

  /**
   * Records the properties of a file that will be read.
   *
   * @throws IOException where they cannot be read
   */
  public static Original of(Path path) throws IOException {
    return Files.isRegularFile(path) ? new Original(path, Traits.of(path), changed(path)) : NONE;
  }

  /**
   * Identity of this version of the file: it stays the same as long as its path, its size, its time
   * of modification to the nanosecond, its identity in the file system and the host are the same.
   * Null for content that is not a regular file.
   */
  @Nullable UUID origin() throws IOException {
    Path file = path;
    Traits traits = before;
    if (file == null || traits == null) {
      return null;
    }
    return origin(
        "cascade origin 2",
        host(),
        file.toRealPath().toUri().toString(),
        Long.toString(traits.size()),
        traits.modified().toInstant().toString(),
        inode(file));
  }

  /** Leaves out the device number, which often changes with the next mount. */
  private static String inode(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix")
        ? Files.getAttribute(file, "unix:ino").toString()
        : "";
  }

  private static UUID origin(String... described) {
    byte[] text = String.join("\0", described).getBytes(StandardCharsets.UTF_8);
    ByteBuffer digest = ByteBuffer.wrap(Sha256.of(text).bytes());
    return new UUID(digest.getLong(), digest.getLong());
  }

  /**
   * Header fields of folders and files sent as entries: their identity, from their paths and the
   * host, so that the same command resumes an earlier one.
   */
  public static HeaderFields ofEntries(List<Path> sources) {
    Stream<String> paths =
        sources.stream().map(path -> path.toAbsolutePath().normalize().toUri().toString());
    return new HeaderFields(
        origin(
            Stream.concat(Stream.of("cascade origin of entries 1", host()), paths)
                .toArray(String[]::new)));
  }

  /**
   * Header of folders and files sent as entries: a name to display, and no size, which was not
   * determined.
   */
  public static TransferHeader headerOfEntries(List<Path> sources) {
    Path first = sources.getFirst().toAbsolutePath().normalize().getFileName();
    String name = first == null ? "/" : first.toString();
    return new TransferHeader(
            sources.size() == 1 ? name : "%s and %d more".formatted(name, sources.size() - 1),
            TransferHeader.UNKNOWN_SIZE)
        .asEntries()
        .with(ofEntries(sources));
  }

  /** Header fields of the file: its origin, time of modification and permissions. */
  public HeaderFields fields() throws IOException {
    Path file = path;
    Traits traits = before;
    if (file == null || traits == null) {
      return HeaderFields.NONE;
    }
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return new HeaderFields(
        origin(),
        traits.modified().toInstant(),
        posix ? Files.getPosixFilePermissions(file) : null,
        dataBytes(),
        true,
        null,
        null);
  }

  /** Bytes outside of holes; null where it has none. */
  private @Nullable Long dataBytes() {
    try (Holes holes = holes()) {
      return holes == null ? null : holes.dataBytes();
    }
  }

  /** Finds its holes, anew with each call; null where it has none. */
  @Nullable Holes holes() {
    Path file = path;
    Traits traits = before;
    return file == null || traits == null ? null : Holes.of(file, traits.size());
  }

  /** Empty on a host without an identity of its own. */
  private static String host() {
    try {
      return Files.readString(Path.of("/etc/machine-id")).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * @throws TransferFailed where the file at this path has another size, time of modification or
   *     identity than before, or was changed otherwise: it may have been written and its time set
   *     back
   */
  void requireUnchanged() throws TransferFailed {
    Path file = path;
    if (file == null) {
      return;
    }
    String changed = file + " changed while it was sent; fix: send it again";
    Traits now;
    Object changedNow;
    try {
      now = Traits.of(file);
      changedNow = changed(file);
    } catch (IOException e) {
      throw new TransferFailed(changed, e);
    }
    if (!now.equals(before)) {
      throw new TransferFailed(changed);
    }
    if (!Objects.equals(changedNow, changedBefore)) {
      // Often only its mode or its links changed: what has arrived is compared when it is sent
      // again.
      throw TransferFailed.keeping(
          file
              + " changed while it was sent, or its mode, owner or links did; fix: send it again,"
              + " which resumes");
    }
  }
}
