package io.cascade.testbed.coded;

import io.cascade.testbed.report.Page;
import java.util.List;

/** The page. */
final class CodedLabReport {
  private final List<LabRun> runs;
  private final String conditions;

  CodedLabReport(List<LabRun> runs, String conditions) {
    this.runs = List.copyOf(runs);
    this.conditions = conditions;
  }

  Page page() {
    return new Page("Coded hops in the lab").paragraph(conditions + " " + runs.size());
  }
}
