package io.cascade.client.verbs;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.orchestrator.CorrectionList;
import io.cascade.api.orchestrator.LinkCorrection;
import io.cascade.client.terminal.Table;
import io.cascade.contract.Quantities;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "corrections",
    mixinStandardHelpOptions = true,
    description = {
      "Show the factors that correct predictions for each link, as learned from chains.",
      "A factor is learned from several long transfers, stays between 1/4 and 4, and decays over"
          + " time."
    })
public final class CorrectionsVerb implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Mixin private OrchestratorOption orchestrator = new OrchestratorOption();
  @Mixin private Output output = new Output();

  @Option(
      names = "--reset",
      paramLabel = "FROM,TO",
      arity = "0..1",
      split = ",",
      fallbackValue = "",
      description = "Forget what was learned of this link; without a value, of all links.")
  private @Nullable List<String> reset;

  @Override
  public Integer call() {
    OrchestratorClient client = orchestrator.client();
    if (reset != null) {
      forget(client, reset.stream().filter(name -> !name.isBlank()).toList());
    }
    CorrectionList corrections = client.corrections();
    Table table =
        new Table(
            "from", "to", "control", ">applied", ">achieved/predicted", ">streams", "learned");
    for (LinkCorrection one : corrections.corrections()) {
      table.row(
          one.from(),
          one.to(),
          one.congestionControl(),
          times(one.factor()),
          times(one.ratio()),
          one.streams(),
          Quantities.ago(one.updatedAt(), Instant.now()));
    }
    output.list(
        corrections,
        table,
        "nothing was learned yet: that takes a few long transfers through planned chains");
    return 0;
  }

  private void forget(OrchestratorClient client, List<String> link) {
    switch (link.size()) {
      case 0 -> client.resetCorrections();
      case 2 -> client.resetCorrection(link.getFirst(), link.getLast());
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "--reset " + String.join(",", link) + " (expected: FROM,TO or nothing)");
    }
  }

  private static String times(double factor) {
    return String.format(Locale.ROOT, "x%.2f", factor);
  }
}
