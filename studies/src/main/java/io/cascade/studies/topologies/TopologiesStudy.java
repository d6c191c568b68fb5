package io.cascade.studies.topologies;

import io.cascade.studies.study.Page;
import io.cascade.studies.study.PageVerb;
import java.io.PrintWriter;
import picocli.CommandLine.Command;

/** Relays chosen on published measurements. */
@Command(
    name = "topologies",
    mixinStandardHelpOptions = true,
    description = {
      "Compute how well relays are chosen on published measurements between cloud regions: by the"
          + " least round-trip time, by measured throughput, by the planner; with exact, noisy and"
          + " old inputs.",
      "Takes a few minutes and measures nothing. Prints tables, and writes a page and charts.",
      "",
      "Example: cascade reproduce topologies --out /tmp/topologies"
    })
public final class TopologiesStudy extends PageVerb {
  private Page page = new Page("");

  public TopologiesStudy() {
    super(TopologiesReport.NAME);
  }

  @Override
  protected boolean measure(PrintWriter err) {
    page = TopologiesReport.compute().page();
    return true;
  }

  @Override
  protected Page page() {
    return page;
  }

  @Override
  protected void print(PrintWriter out) {
    page.print(out);
  }
}
