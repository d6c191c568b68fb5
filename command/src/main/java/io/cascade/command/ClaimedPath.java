package io.cascade.command;

import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A path of a file that this process has locked or is about to lock. Closing any descriptor of a
 * file drops all locks that the process has on it (fcntl(2)), so that a caller that finds a path
 * claimed must not even open it.
 */
public final class ClaimedPath implements AutoCloseable {
  /** One entry for each locked file. */
  private static final Set<Path> CLAIMED = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final AtomicBoolean closed = new AtomicBoolean();

  private ClaimedPath(Path path) {
    this.path = path;
  }

  /**
   * Claims a path before its file is opened.
   *
   * @return null where this process has claimed it already
   */
  public static @Nullable ClaimedPath of(Path path) {
    Path whole = path.toAbsolutePath().normalize();
    return CLAIMED.add(whole) ? new ClaimedPath(whole) : null;
  }

  /** Releases the claim, after the file was closed. */
  @Override
  public void close() {
    if (!closed.getAndSet(true)) {
      CLAIMED.remove(path);
    }
  }
}
