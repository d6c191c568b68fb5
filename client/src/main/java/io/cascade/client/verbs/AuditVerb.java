package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.AuditEntry;
import io.cascade.api.orchestrator.AuditPage;
import io.cascade.client.terminal.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "audit",
    mixinStandardHelpOptions = true,
    description = "Show who changed what at the orchestrator, newest first.")
public final class AuditVerb implements Callable<Integer> {
  private static final int PAGE = 1_000;
  private static final int MOST = 100_000;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(
      names = "--limit",
      paramLabel = "COUNT",
      defaultValue = "50",
      description = "Show the last COUNT changes (default: ${DEFAULT-VALUE}).")
  private int limit = 50;

  @Override
  public Integer call() {
    if (limit < 1 || limit > MOST) {
      throw new ParameterException(
          spec.commandLine(), "--limit " + limit + " (expected: 1 to " + MOST + ")");
    }
    List<AuditEntry> entries = entries(orchestrator.client());
    Table table =
        new Table("when", "caller", "operation", "target", ">outcome", "from", "?request");
    for (AuditEntry entry : entries) {
      table.row(
          entry.at(),
          entry.caller(),
          entry.operation(),
          Output.orDash(entry.target()),
          Output.orDash(entry.outcome()),
          entry.address(),
          entry.requestId());
    }
    output.list(AuditPage.builder().entries(entries).build(), table, "nothing was changed yet");
    return 0;
  }

  private List<AuditEntry> entries(OrchestratorClient client) {
    List<AuditEntry> entries = new ArrayList<>();
    @Nullable Long before = null;
    do {
      AuditPage page = client.audit(before, Math.min(PAGE, limit - entries.size()));
      entries.addAll(page.entries());
      before = page.next();
    } while (before != null && entries.size() < limit);
    return entries;
  }
}
