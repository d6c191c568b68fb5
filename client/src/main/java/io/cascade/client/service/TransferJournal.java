package io.cascade.client.service;

import io.cascade.api.Json;
import io.cascade.command.OwnerOnlyFile;
import java.io.Closeable;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;

/**
 * A service's transfers on disk: a line of JSON for each change, of which the last one of a
 * transfer counts. A line that cannot be read, such as the last one after a power failure, is
 * skipped. Written by one process at a time, and readable by its user only, since it contains
 * codes.
 */
final class TransferJournal implements Closeable {
  /** Lines after which the journal is rewritten with one line for each transfer. */
  private static final int MOST_LINES = 10 * TransferTable.MOST;

  private final Path path;
  private final FileOutputStream lock;

  /** A stream instead of a channel, which an interrupt of the writing thread would close. */
  private FileOutputStream out;

  private int lines;

  private TransferJournal(Path path, FileOutputStream lock, FileOutputStream out) {
    this.path = path;
    this.lock = lock;
    this.out = out;
  }

  /**
   * Opens the journal.
   *
   * @param folder must exist
   * @throws FileSystemException where another process has locked it
   */
  static TransferJournal open(Path folder) throws IOException {
    FileOutputStream lock = created(folder.resolve("lock"));
    try {
      FileLock held;
      try {
        held = lock.getChannel().tryLock();
      } catch (OverlappingFileLockException e) {
        held = null;
      }
      if (held == null) {
        throw new FileSystemException(folder.toString(), null, "another ./cascade serve uses it");
      }
      Path path = folder.resolve("transfers");
      return new TransferJournal(path, lock, created(path));
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileOutputStream created(Path file) throws IOException {
    if (!Files.exists(file)) {
      Files.createFile(file, OwnerOnlyFile.attributes(file));
    }
    return new FileOutputStream(file.toFile(), true);
  }

  /** The transfers of the previous process, in the order of their requests. */
  synchronized List<ServedTransfer.Kept> read() throws IOException {
    Map<UUID, ServedTransfer.Kept> last = new LinkedHashMap<>();
    try (Stream<String> text = Files.lines(path, StandardCharsets.ISO_8859_1)) {
      text.filter(line -> !line.isBlank())
          .forEach(line -> {
            try {
              ServedTransfer.Kept kept =
                  Json.lenient()
                      .readValue(
                          line.getBytes(StandardCharsets.ISO_8859_1), ServedTransfer.Kept.class);
              last.put(kept.transfer().id(), kept);
            } catch (JacksonException | NullPointerException e) {
              // A torn line, or not one of this service: earlier lines of the transfer count.
            }
          });
    } catch (NoSuchFileException e) {
      return List.of();
    }
    return List.copyOf(last.values());
  }

  /** Appends a change, which is on disk when this returns. */
  synchronized void append(ServedTransfer.Kept change) throws IOException {
    out.write(line(change));
    out.getFD().sync();
    lines++;
  }

  /** Whether the journal is long enough to be {@link #rewrite rewritten}. */
  synchronized boolean isLong() {
    return lines >= MOST_LINES;
  }

  /** Replaces the journal by one line for each transfer. */
  synchronized void rewrite(Collection<ServedTransfer.Kept> all) throws IOException {
    Path fresh = path.resolveSibling("transfers.new");
    Files.deleteIfExists(fresh);
    FileOutputStream next = created(fresh);
    try {
      for (ServedTransfer.Kept one : all) {
        next.write(line(one));
      }
      next.getFD().sync();
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException | RuntimeException e) {
      next.close();
      throw e;
    }
    out.close();
    out = next;
    lines = all.size();
  }

  /**
   * Encodes a change. A line break precedes it as well, in case the previous process ended within a
   * line.
   */
  private static byte[] line(ServedTransfer.Kept change) {
    return ("\n" + Json.strict().writeValueAsString(change) + "\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public synchronized void close() throws IOException {
    try (lock) {
      out.close();
    }
  }
}
