package io.cascade.relay.identity;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.identity.IdentityFile;
import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.InvitationText;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.CommandException;
import io.cascade.command.FixHint;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Accepts an invitation for a relay and registers the key that identifies the relay from then on.
 */
public final class Joining {
  private Joining() {}

  /**
   * Accepts an invitation, unless this relay has already accepted it: the same command line starts
   * it every time.
   *
   * @param identity file of the relay's key, which is created if missing
   * @throws CommandException if the invitation is not for a relay, or is refused
   */
  public static EnrolmentFile.Enrolment join(InvitationText invitation, Path identity) {
    if (invitation.role() != Role.RELAY) {
      throw new CommandException(
          "--join: the invitation is for a "
              + invitation.role().name().toLowerCase(Locale.ROOT)
              + "; fix: cascade join INVITATION");
    }
    InvitationSecret secret = new InvitationSecret(invitation.secret());
    EnrolmentFile.Enrolment known = EnrolmentFile.read(identity);
    if (known != null && known.invitation().equals(secret.digest())) {
      return known;
    }
    RelayKey key = IdentityFile.keyOf(identity);
    List<String> failures = new ArrayList<>();
    for (URI url : invitation.addresses()) {
      try {
        String apiKey =
            new OrchestratorClient(url, secret.text())
                .enrol(key.accept(secret, invitation.name(), Role.RELAY))
                .secret();
        EnrolmentFile.Enrolment enrolment =
            new EnrolmentFile.Enrolment(
                secret.digest(), invitation.kept(url), invitation.site(), apiKey);
        EnrolmentFile.write(identity, enrolment);
        return enrolment;
      } catch (UnreachableException | IllegalArgumentException e) {
        failures.add(String.valueOf(e.getMessage()));
      } catch (ProblemException e) {
        if (e.isNotOfTheLeader()) {
          failures.add(String.valueOf(e.getMessage()));
          continue;
        }
        throw new CommandException(
            FixHint.added(
                "--join: " + e.getMessage(), "make another invitation with cascade invite"),
            e);
      }
    }
    throw new CommandException("--join: " + String.join("; ", failures));
  }
}
