package io.cascade.client.entries;

import io.cascade.command.ClaimedPath;
import io.cascade.command.FileKind;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** Excludes a second receiver from a destination by a locked file in it. */
final class DestinationLock implements AutoCloseable {
  static final String NAME = ".cascade-entries";

  private final Path path;
  private final FileChannel channel;
  private final ClaimedPath claim;

  private DestinationLock(Path path, FileChannel channel, ClaimedPath claim) {
    this.path = path;
    this.channel = channel;
    this.claim = claim;
  }

  /**
   * @param folder the open destination
   * @param told its path in messages
   * @throws IOException where the file cannot be written, or another receiver has locked it
   */
  static DestinationLock open(HeldFolder folder, Path told) throws IOException {
    Path path = folder.at(NAME);
    ClaimedPath claim = ClaimedPath.of(told.resolve(NAME));
    if (claim == null) {
      throw taken(told);
    }
    boolean locked = false;
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
              OwnerOnlyFile.attributes(path));
      try {
        lock(channel, told);
        locked = true;
        return new DestinationLock(path, channel, claim);
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
    } finally {
      if (!locked) {
        claim.close();
      }
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
      throw taken(told);
    }
  }

  private static EntriesFailed taken(Path told) {
    return new EntriesFailed(
        "another receiver writes a folder to "
            + told
            + "; fix: wait for it, or --output elsewhere");
  }

  /** Deletes the file before unlocking: after unlocking it may belong to another receiver. */
  @Override
  public void close() throws IOException {
    try (claim;
        channel) {
      Files.deleteIfExists(path);
    }
  }
}
