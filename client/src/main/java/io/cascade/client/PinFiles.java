package io.cascade.client;

import io.cascade.api.client.PinMemory;
import io.cascade.command.OwnerOnlyFile;
import io.cascade.command.StateHome;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** What servers said of the keys that come next, a file for each server with this user's state. */
public final class PinFiles implements PinMemory {
  private static final int MOST_BYTES = 1_024;

  private final Path folder;

  /** Keeps them in the usual folder. */
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
      return null; // the pins of the URL are there
    }
  }

  /** Where it fails, the next process begins with the pins of its URL. */
  @Override
  public void keep(String server, String text) {
    try {
      OwnerOnlyFile.makeFolder(file(server));
      OwnerOnlyFile.write(file(server), text);
    } catch (IOException e) {
      // said above
    }
  }

  /** The brackets and colons of an IPv6 address are in no name that every system takes. */
  private Path file(String server) {
    return folder.resolve(server.replaceAll("[^A-Za-z0-9.-]", "_"));
  }
}
