package io.cascade.client.verbs;

import io.cascade.api.orchestrator.ApiKeyRequest;
import io.cascade.api.orchestrator.NewApiKey;
import io.cascade.api.orchestrator.Role;
import io.cascade.command.TimeSpan;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "create",
    mixinStandardHelpOptions = true,
    description = "Create a key and print it. It cannot be shown again.")
final class KeyCreateVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "NAME",
      description = "Name of the key's user; for a relay, the relay's name.")
  private String name;

  @Option(
      names = "--role",
      required = true,
      description = "Grant this role: ${COMPLETION-CANDIDATES} (see docs/reference/access.md).")
  private Role role = Role.VIEWER;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      converter = TimeSpan.Converter.class,
      description = "Let the key expire after this long, such as 90d (default: never).")
  private @Nullable TimeSpan expires;

  @Override
  public Integer call() {
    Instant end =
        expires == null
            ? null
            : Instant.now().plus(Duration.ofMillis(Math.round(1e3 * expires.seconds())));
    NewApiKey made = orchestrator.client().createKey(new ApiKeyRequest(name, role, end));
    if (output.json()) {
      output.document(made);
      return 0;
    }
    output.out().println(made.secret());
    output.out().flush();
    output.note("key " + made.key().id() + " of " + name + ", " + KeyListVerb.role(role));
    if (made.controlToken() != null) {
      output.note("the token for scrapes of the relay's control port is " + made.controlToken());
    }
    return 0;
  }
}
