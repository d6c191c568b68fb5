package io.cascade.client;

import io.cascade.api.client.PinMemory;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the next keys that servers have announced, in one file for each server in this user's state
 * folder.
 */
public final class PinFiles implements PinMemory {
  private static final int MOST_BYTES = 1_024;

  private final Path folder;

  /** Keeps the files in the default folder. */
  public PinFiles() {
    this(StateHome.cascade().resolve("pins"));
  }

  PinFiles(Path folder) {
    this.folder = folder;
  }

  @Override
  public @Nullable String load(String server) {
    try {
      return OwnerOnlyFile.read(file(server), MOST_BYTES);
    } catch (IOException e) {
      return null; // The pins of the URL remain.
    }
  }

  /** If writing fails, the next process begins with the pins of its URL. */
  @Override
  public void keep(String server, String text) {
    try {
      OwnerOnlyFile.makeFolder(file(server));
      OwnerOnlyFile.write(file(server), text);
    } catch (IOException e) {
      // The Javadoc names the consequence.
    }
  }

  /** Not every system accepts the brackets and colons of an IPv6 address in a file name. */
  private Path file(String server) {
    return folder.resolve(server.replaceAll("[^A-Za-z0-9.-]", "_"));
  }
}
