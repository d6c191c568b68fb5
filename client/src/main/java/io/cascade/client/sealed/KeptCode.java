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
 * The code of a receiver, kept from one process to the next: where the last one ended before its
 * file had arrived, the next one has the same code, and the same {@code send} goes on. Each output
 * and port has a file of mode 0600 with the other state of this user.
 */
public final class KeptCode {
  private static final String UNFINISHED = "{.*.cascade-journal," + Extractor.UNDER_WAY + "}";

  /** Line behind a code with which a transfer broke off. */
  private static final String BROKEN = "broken";

  private final Path output;
  private final HostPort at;
  private final Path file;

  /**
   * @param output file or folder of what arrives
   * @param at where senders find the receiver, or the relay at which they meet it
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

  /** The code that is still valid; empty where nothing waits for its sender. */
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
   * Keeps a code in place of the one before. That a transfer broke off is still known.
   *
   * @return why it cannot be kept; null where it is
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
   * A transfer broke off: the code stays valid, also where nothing beside the output says so, such
   * as of a folder.
   */
  void broke() {
    try {
      Files.writeString(file, "\n" + BROKEN + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      // The next receiver looks for what is unfinished.
    }
  }

  /** What was to arrive has arrived: the code is no longer valid. */
  void forget() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The next receiver finds nothing unfinished, and does not look at it.
    }
  }
}
