package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.ApiKey;
import io.cascade.command.CommandException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "revoke",
    mixinStandardHelpOptions = true,
    description = "Revoke a key, so that it is refused from now on.")
final class KeyRevokeVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "KEY",
      description = "Id of the key, a unique prefix of it, or its name if only one key has it.")
  private String wanted;

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    List<ApiKey> found =
        client.keys().keys().stream()
            .filter(key -> key.id().toString().startsWith(wanted) || wanted.equals(key.name()))
            .toList();
    if (found.size() != 1) {
      throw new CommandException(
          "%s: %s; fix: see cascade key list"
              .formatted(wanted, found.isEmpty() ? "no such key" : "more than one key"));
    }
    ApiKey key = found.getFirst();
    client.revokeKey(key.id());
    if (output.json()) {
      output.document(key);
    } else {
      output.note("key " + key.id() + " of " + key.name() + " is revoked");
    }
    return 0;
  }
}
