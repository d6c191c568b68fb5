package io.cascade.client.verbs;

import io.cascade.api.orchestrator.ApiKey;
import io.cascade.api.orchestrator.ApiKeyList;
import io.cascade.api.orchestrator.Role;
import io.cascade.client.terminal.Table;
import io.cascade.contract.Quantities;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List the keys that have not been revoked.")
final class KeyListVerb implements Callable<Integer> {
  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Override
  public Integer call() {
    ApiKeyList keys = orchestrator.client().keys();
    Table table = new Table("key", "name", "role", "made", "by", "ends", "last used");
    Instant now = Instant.now();
    for (ApiKey key : keys.keys()) {
      table.row(
          key.id(),
          key.name(),
          role(key.role()),
          Quantities.ago(key.createdAt(), now),
          key.createdBy(),
          key.expiresAt() == null ? "never" : key.expiresAt(),
          key.lastUsedAt() == null ? "never" : Quantities.ago(key.lastUsedAt(), now));
    }
    output.list(keys, table, "there is no key. Make one: ./cascade key create NAME --role ROLE");
    return 0;
  }

  static String role(Role role) {
    return role.name().toLowerCase(Locale.ROOT);
  }
}
