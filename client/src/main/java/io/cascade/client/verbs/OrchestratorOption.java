package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ServerAddress;
import io.cascade.command.AccessFile;
import io.cascade.command.CommandException;
import io.cascade.command.OptionSection;
import io.cascade.command.ParsedOption;
import io.cascade.command.StateHome;
import io.cascade.command.names.Loopback;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Option for the orchestrator that a verb calls. */
@OptionSection("Orchestrator and output")
final class OrchestratorOption {
  private static final List<URI> USUAL = List.of(URI.create("http://127.0.0.1:7400"));

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      split = ServerAddress.SEPARATOR,
      splitSynopsisLabel = ",",
      converter = HttpAddress.class,
      description =
          "Call this orchestrator, such as https://HOST:7400#PINS, with the pins of its keys if it"
              + " made its own; of several, separated by commas, the leader (default: the joined"
              + " one, else this user's own on this machine, else http://127.0.0.1:7400).")
  private List<URI> orchestrators = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Authenticate with this token of the orchestrator, or an API key. Other users can read"
              + " command lines: CASCADE_TOKEN is safer.")
  private @Nullable String token;

  @Option(
      names = "--tls",
      paramLabel = "MODE",
      description =
          "auto, on: send the token to http:// addresses of this machine only; off: to any, where"
              + " an on-path attacker can read it (default: auto).")
  private Tls tls = Tls.AUTO;

  private @Nullable AccessFile known;

  /** Modes of the orchestrator's own option, whose environment verbs may share. */
  enum Tls {
    AUTO,
    ON,
    OFF
  }

  /**
   * Creates a client of the orchestrator.
   *
   * @throws CommandException where a credential would leave this machine in clear text
   */
  OrchestratorClient client() {
    URI readable = readable();
    if (readable != null) {
      throw new CommandException(
          readable
              + ": the token would be sent in clear, and an on-path attacker could use it; fix:"
              + " give"
              + " the address with https:// (cascade certificate shows it), or, on a network"
              + " that you trust, --tls off (CASCADE_TLS=off)");
    }
    return new OrchestratorClient(addresses(), credential());
  }

  /** Returns a stored credential only for the orchestrator that it belongs to. */
  private @Nullable String credential() {
    AccessFile kept = known();
    return token != null ? token : kept == null ? null : kept.token();
  }

  /** The address to which a credential would be sent in clear text; null where there is none. */
  private @Nullable URI readable() {
    return credential() == null || tls == Tls.OFF
        ? null
        : addresses().stream().filter(OrchestratorOption::isInClear).findFirst().orElse(null);
  }

  /** Whether {@link #client} returns one. */
  boolean isAllowed() {
    return readable() == null;
  }

  private static boolean isInClear(URI address) {
    String host = address.getHost();
    return "http".equalsIgnoreCase(address.getScheme()) && host != null && !Loopback.isHost(host);
  }

  /** Addresses, with their pins, of the orchestrators, one of which leads. */
  List<URI> addresses() {
    if (!orchestrators.isEmpty()) {
      return orchestrators;
    }
    AccessFile kept = known();
    return kept == null ? USUAL : ServerAddress.several(kept.orchestrator());
  }

  /**
   * Whether one was named or joined, or runs as this user, and {@link #isAllowed may be called}:
   * otherwise the default address is a guess.
   */
  boolean isKnown() {
    return (!orchestrators.isEmpty() || known() != null) && isAllowed();
  }

  private @Nullable AccessFile known() {
    if (known == null && orchestrators.isEmpty()) {
      AccessFile joined = AccessFile.read(AccessFile.joined());
      known =
          joined != null ? joined : AccessFile.read(AccessFile.ofOrchestrator(StateHome.cascade()));
    }
    return known;
  }

  static final class HttpAddress extends ParsedOption<URI> {
    HttpAddress() {
      super(HttpAddress::uri);
    }

    private static URI uri(String value) {
      URI uri = URI.create(value.strip());
      ServerAddress.of(uri);
      return uri;
    }
  }
}
