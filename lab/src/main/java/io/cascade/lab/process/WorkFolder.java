package io.cascade.lab.process;

import io.cascade.command.TemporaryFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A temporary folder in which parts of Cascade run.
 *
 * @param path of their settings, states and logs
 * @param command that runs them without the user's own settings
 */
public record WorkFolder(Path path, CascadeCommand command) {
  /**
   * Creates a folder.
   *
   * @param name of the work, part of the folder's name
   */
  public static WorkFolder make(String name) throws IOException {
    return in(Files.createTempDirectory("cascade-" + name + "-"));
  }

  /** Uses an existing folder. */
  public static WorkFolder in(Path folder) throws IOException {
    Path settings = Files.createFile(folder.resolve("settings.properties"));
    return new WorkFolder(folder, CascadeCommand.ofThisProcess(settings));
  }

  /** Removes it on success; otherwise the logs stay, and a line says where. */
  public void leave(boolean held, PrintWriter err) {
    if (held) {
      remove();
    } else {
      err.println("the logs are in " + path);
      err.flush();
    }
  }

  /** Removes it with its content. */
  public void remove() {
    TemporaryFolder.remove(path);
  }
}
