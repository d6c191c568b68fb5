package io.cascade.gateway.reporting;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.identity.IdentityFile;
import io.cascade.api.identity.RelaySigner;
import io.cascade.command.CommandException;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the orchestrator to which reports are sent. */
public final class OrchestratorOptions {
  private static final int SEQUENCE_BITS = 32;

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      split = ServerAddress.SEPARATOR,
      splitSynopsisLabel = ",",
      description =
          "Report to this orchestrator, such as https://HOST:7400#PINS; of several, separated by"
              + " commas, to the leader. A gateway also gets its tunnels from it (default: none).")
  private List<URI> orchestrators = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Authenticate with this token of the orchestrator, or an API key. Other users can read"
              + " command lines: CASCADE_TOKEN is safer.")
  private @Nullable String token;

  public boolean isGiven() {
    return !orchestrators.isEmpty();
  }

  /**
   * Creates a client of the orchestrator.
   *
   * @throws IllegalStateException where none is given
   */
  public OrchestratorClient client() {
    if (orchestrators.isEmpty()) {
      throw new IllegalStateException("no orchestrator");
    }
    return client(orchestrators, token);
  }

  /**
   * Creates a client of these orchestrators, of which one leads.
   *
   * @throws CommandException where one is not a valid address of an orchestrator
   */
  public static OrchestratorClient client(List<URI> at, @Nullable String token) {
    try {
      return new OrchestratorClient(at, token);
    } catch (IllegalArgumentException e) {
      throw new CommandException("--orchestrator: " + e.getMessage(), e);
    }
  }

  /**
   * Creates a signer with the file's key; its signatures have greater sequence numbers than those
   * of all earlier starts.
   */
  public static RelaySigner signer(IdentityFile file) {
    return new RelaySigner(file.key(), file.generation(), file.generation() << SEQUENCE_BITS);
  }

  /** This program's version, as reports name it. */
  public static String version() {
    String version = OrchestratorOptions.class.getPackage().getImplementationVersion();
    return version == null ? "unknown" : version;
  }
}
