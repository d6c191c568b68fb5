package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.orchestrator.ApiKey;
import io.cascade.api.orchestrator.Invitation;
import io.cascade.command.CommandException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code cascade revoke}: a name is admitted no longer. */
@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = {
      "Revoke the API keys and invitations of a name, and drain the relay of that name.",
      "Streams that run through the relay continue; no new chain uses it, and it keeps what it"
          + " knows of chains only until they end.",
      ""
    },
    footer = {"", "Example: cascade revoke fra"})
public final class RevokeVerb implements Callable<Integer> {
  private static final int NOT_FOUND = 404;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "NAME", description = "Name of a relay, a person or a program.")
  private String name;

  /** Idempotent, so that it may be repeated after a failure. */
  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    List<Invitation> invitations =
        client.invitations().invitations().stream().filter(one -> one.name().equals(name)).toList();
    invitations.forEach(one -> client.withdrawInvitation(one.id()));
    List<ApiKey> keys =
        client.keys().keys().stream().filter(one -> one.name().equals(name)).toList();
    keys.forEach(one -> client.revokeKey(one.id()));
    List<String> left =
        Stream.concat(
                client.keys().keys().stream()
                    .filter(one -> one.createdBy().equals(name))
                    .map(ApiKey::name),
                client.invitations().invitations().stream()
                    .filter(one -> one.createdBy().equals(name) && one.usedAt() == null)
                    .map(Invitation::name))
            .distinct()
            .sorted()
            .toList();
    boolean relay = drained(client);
    if (invitations.isEmpty() && keys.isEmpty() && !relay) {
      throw new CommandException(name + ": no key, invitation or relay has that name");
    }
    if (output.json()) {
      output.document(new Revoked(name, keys, invitations, relay, left));
      return 0;
    }
    output.note(
        name
            + ": "
            + keys.size()
            + " API keys and "
            + invitations.size()
            + " invitations revoked"
            + (relay ? ", the relay is drained" : "")
            + (relay && keys.isEmpty()
                ? "; it uses the orchestrator's own token, with which it can come back"
                : ""));
    if (!left.isEmpty()) {
      output.note(
          "what "
              + name
              + " created for others stays valid: revoke "
              + String.join(", ", left)
              + ", too?");
    }
    return 0;
  }

  private record Revoked(
      String name,
      List<ApiKey> keys,
      List<Invitation> invitations,
      boolean relayDrained,
      List<String> gaveTo) {}

  private boolean drained(OrchestratorClient client) {
    try {
      client.drain(name);
      return true;
    } catch (ProblemException e) {
      if (e.status() == NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }
}
