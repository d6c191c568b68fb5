package io.cascade.client.transfer;

import io.cascade.client.entries.Extracted;
import io.cascade.client.transfer.content.Sha256;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file that arrived, was verified and has its name, or entries of a stream.
 *
 * @param transfer as its header names it
 * @param file the file, or the folder of the entries
 * @param bytes of the file, or of the stream
 * @param from the address of the connection's other end
 * @param sender name that the sender gave; null where it gave none. To be made printable
 * @param elapsed from the header to the rename
 * @param entries null for a file
 */
public record Received(
    UUID transfer,
    Path file,
    long bytes,
    Sha256 sha256,
    String from,
    @Nullable String sender,
    Duration elapsed,
    @Nullable Entries entries) {

  /**
   * What was created of a stream of entries.
   *
   * @param name that the sender gave them; to be made printable
   * @param bytes content of the files
   */
  public record Entries(String name, long files, long folders, long links, long bytes) {
    public static @Nullable Entries of(String name, @Nullable Extracted counts) {
      return counts == null
          ? null
          : new Entries(name, counts.files(), counts.folders(), counts.links(), counts.bytes());
    }
  }
}
