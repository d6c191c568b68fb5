package io.cascade.studies.report;

import io.cascade.studies.study.Checkout;
import io.cascade.studies.study.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;

/** Share that a relay's hop takes from a connection beside it. */
@Command(
    name = "fairness",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what a relay's hop with Reno, CUBIC or BBR takes from one other connection on the"
          + " same bottleneck, and what the hop gains by it.",
      "Takes about a quarter of an hour, over emulated paths and with real relays, and writes a"
          + " page. Results that exist are not measured again. Needs Linux and root.",
      "",
      "Example: cascade reproduce fairness --out /tmp/fairness"
    })
public final class FairnessStudy extends Campaign {
  public FairnessStudy() {
    super("fairness");
  }

  @Override
  protected List<Path> files() {
    return List.of(Checkout.experiments().resolve("fairness.yaml"));
  }

  @Override
  protected Page page() throws IOException {
    return Fairness.page(evidence(experiments().getFirst()));
  }
}
