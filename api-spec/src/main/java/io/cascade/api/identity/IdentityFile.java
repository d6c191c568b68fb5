package io.cascade.api.identity;

import io.cascade.api.Json;
import io.cascade.command.CommandException;
import io.cascade.command.FileKind;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * A relay's key and its generation, which counts its starts. Every start stores the next generation
 * before it is used: in a new file, which is synced to disk and then renamed over the old one. A
 * lock on a file beside it ensures that one process at a time uses the identity.
 */
public final class IdentityFile implements AutoCloseable {
  private static final int MOST_BYTES = 4_096;
  private static final long LOCK_LOOK_MILLIS = 20;

  private final Path path;
  private final RelayKey key;
  private final long generation;
  private @Nullable FileChannel lock;

  private IdentityFile(Path path, RelayKey key, long generation, @Nullable FileChannel lock) {
    this.path = path;
    this.key = key;
    this.generation = generation;
    this.lock = lock;
  }

  /** The file's content. */
  record Stored(String publicKey, String secretKey, long generation) {}

  /**
   * Path of an identity, unless its user names another.
   *
   * @param kind folder of such identities in the state folder, such as relays
   */
  public static Path usual(String kind, String name) {
    return StateHome.cascade().resolve(kind).resolve(name + ".identity");
  }

  /**
   * Takes the identity for a start of the relay: the next generation of the key in the file, or the
   * first one of a new key if there is no file.
   *
   * @throws CommandException when another process holds it, or the file cannot be read or written
   */
  public static IdentityFile start(Path given) {
    Path path = file(given);
    try {
      OwnerOnlyFile.makeFolder(path);
      FileChannel lock = tryLock(path);
      if (lock == null) {
        throw new CommandException(
            "identity "
                + path
                + ": another process uses it; fix: stop that process, give this relay its own"
                + " --name or --identity FILE, or take its place with --hand-over");
      }
      try {
        Stored stored = read(path);
        RelayKey key = stored == null ? RelayKey.generate() : key(path, stored);
        long generation = stored == null ? 1 : stored.generation() + 1;
        write(path, new Stored(key.publicKey(), key.secretText(), generation));
        return new IdentityFile(path, key, generation, lock);
      } catch (IOException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (IOException e) {
      throw new CommandException(
          "identity "
              + path
              + ": cannot be read and written ("
              + reason(e)
              + "); fix: --identity FILE in a folder that this user may write to",
          e);
    }
  }

  /**
   * Takes the identity of the process that holds it, with the same generation. The lock is acquired
   * when that process has released it ({@link #awaitLock}).
   *
   * @throws CommandException when the file does not have the key of that process
   */
  public static IdentityFile takeOver(Path given, String publicKey, long generation) {
    Path path = file(given);
    Stored stored;
    try {
      stored = read(path);
    } catch (IOException e) {
      throw new CommandException("identity " + path + ": cannot be read (" + reason(e) + ")", e);
    }
    if (stored == null || !stored.publicKey().equals(publicKey)) {
      throw new CommandException(
          "identity "
              + path
              + ": not that of the relay to be replaced; fix: start with its --identity FILE");
    }
    return new IdentityFile(path, key(path, stored), generation, null);
  }

  /**
   * The key of a file, even while another process uses it; a new one if there is no file.
   *
   * @throws CommandException when the file cannot be read or written
   */
  public static RelayKey keyOf(Path given) {
    Path path = file(given);
    try {
      Stored stored = read(path);
      if (stored != null) {
        return key(path, stored);
      }
    } catch (IOException e) {
      throw new CommandException("identity " + path + ": cannot be read (" + reason(e) + ")", e);
    }
    try (IdentityFile made = start(given)) {
      return made.key();
    }
  }

  public RelayKey key() {
    return key;
  }

  /** Number of starts of the relay, including this one. */
  public long generation() {
    return generation;
  }

  /**
   * Waits for the lock, which the process before releases.
   *
   * @return whether this process has it now
   */
  public synchronized boolean awaitLock(Duration patience) throws IOException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (lock == null) {
      lock = tryLock(path);
      if (lock == null) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        pauseBriefly();
      }
    }
    return true;
  }

  /** Releases the identity for another process. Idempotent. */
  @Override
  public synchronized void close() {
    FileChannel held = lock;
    lock = null;
    if (held != null) {
      try {
        held.close();
      } catch (IOException e) {
        // The kernel has released the lock in any case.
      }
    }
  }

  /** Follows links, so that the target file is replaced and not a link. */
  private static Path file(Path given) {
    try {
      Path path = FileKind.at(given) == FileKind.SYMBOLIC_LINK ? given.toRealPath() : given;
      FileKind.requireReplaceable(path);
      return path;
    } catch (IOException e) {
      throw new CommandException(
          "identity "
              + given
              + ": cannot be replaced ("
              + reason(e)
              + "); fix: --identity with the name of a file",
          e);
    }
  }

  /** Null if another process, or another relay of this process, has the lock. */
  private static @Nullable FileChannel tryLock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path.resolveSibling(path.getFileName() + ".lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            OwnerOnlyFile.attributes(path));
    FileLock held = null;
    try {
      held = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Another relay of this process has it.
    } finally {
      if (held == null) {
        channel.close();
      }
    }
    return held == null ? null : channel;
  }

  private static @Nullable Stored read(Path path) throws IOException {
    String text = OwnerOnlyFile.read(path, MOST_BYTES);
    if (text == null) {
      return null;
    }
    try {
      Stored stored = Json.extensible().readValue(text, Stored.class);
      if (stored == null || stored.publicKey() == null || stored.generation() < 1) {
        throw unreadable(path, "incomplete", null);
      }
      return stored;
    } catch (JacksonException e) {
      throw unreadable(path, "not understood", null); // e's text may hold the key
    }
  }

  private static RelayKey key(Path path, Stored stored) {
    try {
      return RelayKey.read(stored.secretKey(), stored.publicKey());
    } catch (IllegalArgumentException e) {
      throw unreadable(path, String.valueOf(e.getMessage()), e);
    }
  }

  private static CommandException unreadable(Path path, String why, @Nullable Exception cause) {
    String words =
        "identity "
            + path
            + ": no relay's identity ("
            + why
            + "); fix: restore the file, or remove it and have the orchestrator forget this relay";
    return cause == null ? new CommandException(words) : new CommandException(words, cause);
  }

  private static void write(Path path, Stored stored) throws IOException {
    OwnerOnlyFile.write(path, Json.strict().writeValueAsString(stored) + "\n");
  }

  private static String reason(IOException e) {
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getReason();
    }
    return e instanceof AccessDeniedException ? "permission denied" : e.toString();
  }

  private static void pauseBriefly() throws IOException {
    try {
      Thread.sleep(LOCK_LOOK_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
