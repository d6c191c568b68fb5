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
 * What a relay received for its invitation, stored beside its identity. An invitation is accepted
 * once; every later start reads this file.
 */
public final class EnrolmentFile {
  private static final int MOST_BYTES = 16_384;

  private EnrolmentFile() {}

  /**
   * Content of the file.
   *
   * @param invitation digest of the secret of the accepted invitation
   * @param orchestrator URL with the pins of its keys; several are separated by commas, one of
   *     which leads
   * @param site the relay's site; null if the invitation names none
   * @param apiKey for this relay's name
   */
  public record Enrolment(
      String invitation, String orchestrator, @Nullable String site, String apiKey) {

    /** The orchestrators' URLs. */
    public List<URI> urls() {
      return ServerAddress.several(orchestrator);
    }

    /** Names the orchestrator and omits the key. */
    @Override
    public String toString() {
      return "Enrolment[" + orchestrator + "]";
    }
  }

  /** Returns the path of the file beside the relay's identity. */
  static Path beside(Path identity) {
    return identity.resolveSibling(identity.getFileName() + ".enrolment");
  }

  /**
   * Reads the enrolment of the relay with this identity.
   *
   * @return null if it was never invited
   * @throws CommandException if it cannot be read
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
          file + ": not understood; fix: restore the file, or invite the relay again");
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
