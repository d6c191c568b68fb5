package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import io.cascade.client.entries.Extractor;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The code of a receiver, kept across processes: if a process ends before its file has arrived, the
 * next one uses the same code, and the same {@code send} continues. Each output and port has a file
 * of mode 0600 in this user's state folder.
 */
public final class KeptCode {
  private static final String UNFINISHED = "{.*.cascade-journal," + Extractor.UNDER_WAY + "}";

  /** Line behind a code whose transfer was interrupted. */
  private static final String BROKEN = "broken";

  private final Path output;
  private final HostPort at;
  private final Path file;

  /**
   * @param output file or folder that receives the transfer
   * @param at address of the receiver, or of the relay at which senders meet it
   */
  public KeptCode(Path output, HostPort at) {
    this(output, at, StateHome.cascade().resolve("receive"));
  }

  KeptCode(Path output, HostPort at, Path state) {
    this.output = output.toAbsolutePath().normalize();
    this.at = at;
    String name = this.output + " " + at.port();
    this.file =
        state.resolve(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString());
  }

  /** The code that is still valid; empty where no transfer is unfinished. */
  Optional<Code> found() {
    try {
      List<String> lines = Files.readAllLines(file);
      if (lines.isEmpty() || !(lines.contains(BROKEN) || isUnfinished())) {
        return Optional.empty();
      }
      return Optional.of(Code.parse(at + "/" + lines.getFirst().strip()));
    } catch (IOException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private boolean isUnfinished() throws IOException {
    Path folder = Files.isDirectory(output) ? output : output.getParent();
    if (folder == null) {
      return false;
    }
    try (DirectoryStream<Path> journals = Files.newDirectoryStream(folder, UNFINISHED)) {
      return journals.iterator().hasNext();
    }
  }

  /**
   * Stores a code in place of the previous one. The mark of an interrupted transfer is kept.
   *
   * @return why it cannot be stored; null on success
   */
  @Nullable String keep(Code code) {
    try {
      OwnerOnlyFile.makeFolder(file);
      boolean isBroken = Files.exists(file) && Files.readAllLines(file).contains(BROKEN);
      Files.deleteIfExists(file);
      Files.createFile(file, OwnerOnlyFile.attributes(file));
      String text = code.toString();
      Files.writeString(file, text.substring(text.lastIndexOf('/') + 1), StandardOpenOption.WRITE);
      if (isBroken) {
        broke();
      }
      return null;
    } catch (IOException e) {
      return e.toString();
    }
  }

  /**
   * A transfer was interrupted: the code stays valid, even if nothing beside the output shows it,
   * as with a folder.
   */
  void broke() {
    try {
      Files.writeString(file, "\n" + BROKEN + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      // The next receiver looks for unfinished files.
    }
  }

  /** The transfer has arrived: the code is no longer valid. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The next receiver finds nothing unfinished, and ignores the stored code.
    }
  }
}
