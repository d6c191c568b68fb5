package io.cascade.gateway.scap;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.identity.IdentityFile;
import io.cascade.api.identity.RelaySigner;
import io.cascade.gateway.reporting.OrchestratorOptions;
import io.cascade.gateway.reporting.ReportLoop;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the orchestrator to which a splitter/combiner reports. */
final class SplitterReportOptions {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,31}");

  @Mixin private OrchestratorOptions orchestrator = new OrchestratorOptions();

  @Option(
      names = "--report-as",
      paramLabel = "NAME",
      description = "Report under this name, unique at the orchestrator (default: --name).")
  private @Nullable String reportAs;

  @Option(
      names = "--identity",
      paramLabel = "FILE",
      description =
          "Keep the key by which the orchestrator recognises the splitter in this file, created if"
              + " missing (default: splitters/NAME.identity in $XDG_STATE_HOME/cascade or"
              + " ~/.local/state/cascade).")
  private @Nullable Path identity;

  boolean isGiven() {
    return orchestrator.isGiven();
  }

  /**
   * Name in reports.
   *
   * @param own name of its devices
   * @throws IllegalArgumentException naming what is expected
   */
  String name(String own) {
    String name = reportAs == null ? own : reportAs;
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "--report-as '" + name + "' (expected: a-z, 0-9 and -, at most 32 characters)");
    }
    return name;
  }

  /** Opens and locks the splitter's key. */
  IdentityFile identity(String name) {
    return IdentityFile.start(identity == null ? IdentityFile.usual("splitters", name) : identity);
  }

  /** Starts to report. */
  ReportLoop start(ScapHost host, String name, IdentityFile file) {
    OrchestratorClient client = orchestrator.client();
    RelaySigner signer = OrchestratorOptions.signer(file);
    SplitterReports reports = new SplitterReports(host, OrchestratorOptions.version());
    return ReportLoop.start(
        client.address(),
        () -> client.report(name, signer.sign(name, reports.next())).reportSeconds(),
        () -> {});
  }
}
