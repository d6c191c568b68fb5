package io.cascade.command;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * An orchestrator and the credential for it, as stored in a file: lines {@code orchestrator=URL}
 * and {@code token=KEY}, so that {@code CASCADE_CONFIG} may name it as well.
 *
 * @param orchestrator its URL, with the pins of its keys; several, separated by commas, of which
 *     one leads
 * @param token null where the environment supplies it
 */
public record AccessFile(String orchestrator, @Nullable String token) {
  private static final int MOST_BYTES = 8_192;
  private static final String ORCHESTRATOR = "orchestrator";
  private static final String TOKEN = "token";

  /** File in which {@code cascade join} stores the access of this user. */
  public static Path joined() {
    return StateHome.cascade().resolve("joined.properties");
  }

  /** File in which an orchestrator stores the access for its own user. */
  public static Path ofOrchestrator(Path stateDirectory) {
    return stateDirectory.resolve("orchestrator").resolve("admin.properties");
  }

  /**
   * Reads a file.
   *
   * @return null where it does not exist
   * @throws CommandException where it cannot be read
   */
  public static @Nullable AccessFile read(Path file) {
    try {
      String text = OwnerOnlyFile.read(file, MOST_BYTES);
      if (text == null) {
        return null;
      }
      Properties properties = new Properties();
      properties.load(new StringReader(text));
      String orchestrator = properties.getProperty(ORCHESTRATOR);
      return orchestrator == null
          ? null
          : new AccessFile(orchestrator, properties.getProperty(TOKEN));
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
  }

  /**
   * Writes or replaces a file.
   *
   * @throws CommandException where it cannot be written
   */
  public void write(Path file) {
    String text = ORCHESTRATOR + "=" + orchestrator + "\n";
    if (token != null) {
      text += TOKEN + "=" + token + "\n";
    }
    try {
      OwnerOnlyFile.makeFolder(file);
      OwnerOnlyFile.write(file, text);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written (" + e.getMessage() + ")", e);
    }
  }

  /** The address without the secret. */
  @Override
  public String toString() {
    return "AccessFile[" + orchestrator + "]";
  }
}
