package io.cascade.relay.identity;

import io.cascade.api.Json;
import io.cascade.api.client.ServerAddress;
import io.cascade.command.CommandException;
import io.cascade.command.OwnerOnlyFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * What an invitation has brought to a relay, beside its identity: it is accepted once, and every
 * later start has it from here.
 */
public final class EnrolmentFile {
  private static final int MOST_BYTES = 16_384;

  private EnrolmentFile() {}

  /**
   * What it has.
   *
   * @param invitation digest of the secret of the invitation that brought it
   * @param orchestrator URL with the pins of its keys; several, with commas between, of which one
   *     leads
   * @param site where the relay stands; null where the invitation did not say
   * @param apiKey of this relay's name
   */
  public record Enrolment(
      String invitation, String orchestrator, @Nullable String site, String apiKey) {

    /** The URLs. */
    public List<URI> urls() {
      return ServerAddress.several(orchestrator);
    }

    /** The orchestrator without the key. */
    @Override
    public String toString() {
      return "Enrolment[" + orchestrator + "]";
    }
  }

  /** The file beside the relay's identity. */
  static Path beside(Path identity) {
    return identity.resolveSibling(identity.getFileName() + ".enrolment");
  }

  /**
   * Reads what the relay with this identity has.
   *
   * @return null where it was never invited
   * @throws CommandException where it cannot be read
   */
  public static @Nullable Enrolment read(Path identity) {
    Path file = beside(identity);
    try {
      String text = OwnerOnlyFile.read(file, MOST_BYTES);
      return text == null ? null : Json.lenient().readValue(text, Enrolment.class);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read (" + e + ")", e);
    } catch (JacksonException e) { // its text may hold the key
      throw new CommandException(
          file + ": not understood; fix: restore the file, or invite the relay anew");
    }
  }

  static void write(Path identity, Enrolment enrolment) {
    Path file = beside(identity);
    try {
      OwnerOnlyFile.makeFolder(file);
      OwnerOnlyFile.write(file, Json.lenient().writeValueAsString(enrolment) + "\n");
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be written (" + e + ")", e);
    }
  }
}
