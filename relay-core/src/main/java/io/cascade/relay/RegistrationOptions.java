package io.cascade.relay;

import io.cascade.api.client.ServerAddress;
import io.cascade.api.identity.IdentityFile;
import io.cascade.api.identity.InvitationText;
import io.cascade.command.BitRate;
import io.cascade.command.OptionSection;
import io.cascade.relay.identity.EnrolmentFile;
import io.cascade.relay.identity.Joining;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the relay's identity, and for its orchestrator. */
@OptionSection("Orchestrator")
final class RegistrationOptions {
  @Option(
      names = "--name",
      paramLabel = "NAME",
      description =
          "Register under this unique name: a-z, 0-9 and - (default: the invitation's, else this"
              + " machine's host name).")
  @Nullable String name;

  @Option(
      names = "--site",
      paramLabel = "SITE",
      description =
          "Name the relay's site, such as a city (default: the invitation's, else default).")
  private @Nullable String site;

  @Option(
      names = "--join",
      paramLabel = "INVITATION",
      description = {
        "Accept an invitation (cascade invite), which brings the relay's name, its orchestrator and"
            + " an API key. It is accepted once and kept beside --identity: later starts may use"
            + " the same command line, or --name alone."
      })
  private @Nullable String join;

  @Option(
      names = "--orchestrator",
      paramLabel = "URL",
      split = ServerAddress.SEPARATOR,
      splitSynopsisLabel = ",",
      description = {
        "Register with this orchestrator, such as https://HOST:7400#PINS, with the pins of its keys"
            + " if it made its own; several, separated by commas, share one database, and one of"
            + " them leads (default: the invitation's, else none)."
      })
  private List<URI> orchestrators = List.of();

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      description =
          "Authenticate with the secret shared with the orchestrator, or this relay's API key"
              + " (default: the key that the invitation brought, else none, on loopback only).")
  private @Nullable String token;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description = {
        "Keep the key by which the orchestrator recognises the relay, and a count of its starts, in"
            + " this file, created if missing. Keep the file: another key cannot use the relay's"
            + " name (default: relays/NAME.identity in $XDG_STATE_HOME/cascade or"
            + " ~/.local/state/cascade)."
      })
  @Nullable Path identity;

  @Option(
      names = "--serve-alone",
      paramLabel = "DURATION",
      defaultValue = "7d",
      converter = OptionConverters.ServeAloneConverter.class,
      description = {
        "Let chains accept streams for this long after the last contact with the orchestrator"
            + " (default: ${DEFAULT-VALUE}), such as 12h; 0: until their leases expire."
      })
  Duration serveAlone = RelaySettings.DEFAULT_SERVE_ALONE;

  @Option(
      names = "--capacity",
      paramLabel = "RATE",
      converter = BitRate.Converter.class,
      description =
          "Tell the planner how much this relay can carry, such as 100Mbit (default: unknown).")
  @Nullable BitRate capacity;

  @Option(
      names = "--price-per-gib",
      paramLabel = "PRICE",
      description = "Tell the planner what a GiB through this relay costs (default: unknown).")
  @Nullable Double pricePerGib;

  private @Nullable InvitationText invitation;
  private EnrolmentFile.@Nullable Enrolment enrolment;

  /**
   * Accepts the given invitation, or reads what an earlier one provided. Options on the command
   * line take precedence.
   *
   * @throws IllegalArgumentException if the invitation is invalid, or for another relay
   */
  void enrol() {
    if (join != null) {
      InvitationText given = InvitationText.parse(join);
      if (name != null && !name.equals(given.name())) {
        throw new IllegalArgumentException(
            "join: the invitation is of "
                + given.name()
                + ", and the name is "
                + name
                + " (expected: one of them)");
      }
      if (!orchestrators.isEmpty()) {
        throw new IllegalArgumentException(
            "join: with an orchestrator (expected: one of them; the invitation has its own)");
      }
      invitation = given;
      enrolment = Joining.join(given, identityFile());
    } else if (orchestrators.isEmpty()) {
      enrolment = EnrolmentFile.read(identityFile());
    }
  }

  /** The orchestrators, one of which leads; empty if there is none. */
  List<URI> orchestrators() {
    return enrolment == null ? orchestrators : enrolment.urls();
  }

  /** The token or API key sent to the orchestrator; null if there is none. */
  @Nullable Token token() {
    String text = enrolment == null ? token : enrolment.apiKey();
    return text == null ? null : new Token(text);
  }

  /** The relay's site. */
  String site() {
    String brought = enrolment == null ? null : enrolment.site();
    return site != null ? site : brought != null ? brought : "default";
  }

  /** The relay's name. */
  String relayName() {
    return name != null ? name : invitation != null ? invitation.name() : HostName.asRelayName();
  }

  /** The file with the relay's key. */
  Path identityFile() {
    return identity == null ? IdentityFile.usual("relays", relayName()) : identity;
  }

  /** The capacity in bits per second; null if it is unknown. */
  @Nullable Long capacityBitsPerSecond() {
    return capacity == null ? null : (Long) capacity.bitsPerSecond();
  }
}
