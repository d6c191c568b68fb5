package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.identity.InvitationSecret;
import io.cascade.api.identity.InvitationText;
import io.cascade.api.identity.RelayKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.AccessFile;
import io.cascade.command.CommandException;
import io.cascade.command.FixHint;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code cascade join}: this user's verbs call that orchestrator from now on. */
@Command(
    name = "join",
    mixinStandardHelpOptions = true,
    description = {
      "Accept an invitation (cascade invite) for this user.",
      "Stores the orchestrator's URL, its key and an API key where the other verbs find them."
          + " --orchestrator and --token take precedence.",
      ""
    })
public final class JoinVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "INVITATION",
      description = "The invitation that cascade invite printed.")
  private String text;

  private final Path file;

  public JoinVerb() {
    this(AccessFile.joined());
  }

  /**
   * @param file that stores the access
   */
  JoinVerb(Path file) {
    this.file = file;
  }

  @Override
  public Integer call() {
    InvitationText invitation = invitation();
    InvitationSecret secret = new InvitationSecret(invitation.secret());
    RelayKey once = RelayKey.generate(); // A user who misses the answer needs another invitation.
    List<String> failures = new ArrayList<>();
    for (URI url : invitation.addresses()) {
      try {
        String key =
            new OrchestratorClient(url, secret.text())
                .enrol(once.accept(secret, invitation.name(), invitation.role()))
                .secret();
        new AccessFile(invitation.kept(url), key).write(file);
        spec.commandLine()
            .getErr()
            .println(
                invitation.name()
                    + ", "
                    + invitation.role().name().toLowerCase(Locale.ROOT)
                    + ", at "
                    + url.toString().replaceFirst("#.*", "")
                    + "; kept in "
                    + file);
        spec.commandLine().getErr().flush();
        return 0;
      } catch (UnreachableException | IllegalArgumentException e) {
        failures.add(String.valueOf(e.getMessage()));
      } catch (ProblemException e) {
        if (e.isNotOfTheLeader()) {
          failures.add(String.valueOf(e.getMessage()));
          continue;
        }
        throw new CommandException(
            FixHint.added(
                String.valueOf(e.getMessage()), "make another invitation with cascade invite"),
            e);
      }
    }
    throw new CommandException(String.join("; ", failures));
  }

  private InvitationText invitation() {
    InvitationText invitation;
    try {
      invitation = InvitationText.parse(text.strip());
    } catch (IllegalArgumentException e) {
      throw new CommandException(String.valueOf(e.getMessage()), e);
    }
    if (invitation.role() == Role.RELAY) {
      throw new CommandException(
          "the invitation is for the relay "
              + invitation.name()
              + "; fix: cascade relay --listen 0.0.0.0 --join INVITATION");
    }
    return invitation;
  }
}
