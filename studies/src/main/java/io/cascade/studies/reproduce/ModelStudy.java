package io.cascade.studies.reproduce;

import io.cascade.studies.study.Page;
import io.cascade.studies.study.PageVerb;
import io.cascade.studies.study.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** Every published figure that the model can be held against. */
@Command(
    name = "model",
    mixinStandardHelpOptions = true,
    description = {
      "Compute the published figures with the model, without root and networks.",
      "",
      "Example: cascade reproduce model --out /tmp/model"
    })
final class ModelStudy extends PageVerb {
  static final String SWEEP = "table-1.csv";

  private final List<Section> sections =
      List.of(
          CascadedTcpPaper.section(),
          CascadedTcpPoster.section(),
          ConnectionSplitting.section(),
          CodedTunnel.section(),
          SplitterCombiner.section());

  ModelStudy() {
    super("model");
  }

  /** Numbers of claims by verdict, in the order of the verdicts. */
  Map<Agreement, Long> tally() {
    Map<Agreement, Long> tally = new LinkedHashMap<>();
    Arrays.stream(Agreement.values())
        .forEach(verdict ->
            tally.put(
                verdict,
                sections.stream()
                    .flatMap(section -> section.claims().stream())
                    .filter(claim -> claim.agreement() == verdict)
                    .count()));
    return tally;
  }

  @Override
  protected Page page() {
    Page page =
        new Page("The published figures and the model")
            .markdown(
                """
                Printed by `./cascade reproduce model`; nothing here was measured by this project. Every row holds one published
                figure against the source's own equations, where it has any, and against the corrected model. "Difference" is the
                corrected value's from the nearer end of what was published; a value agrees within 10 %, unless a row needs another
                measure: 25 % where rates follow from measured losses, exactly where whole numbers are compared.

                A later study's grid of split connections stands in [split-connections.md](split-connections.md).
                """)
            .table(
                List.of("verdict", "figures"),
                tally().entrySet().stream()
                    .map(one -> List.of(one.getKey().words(), String.valueOf(one.getValue())))
                    .toList());
    sections.forEach(section -> section.describe(page));
    return page;
  }

  /** Writes the sweep behind the charts as numbers. */
  @Override
  protected boolean measure(PrintWriter err) throws IOException {
    Path sweep = RawResults.of(folder().path()).resolve(SWEEP);
    Files.createDirectories(sweep.getParent());
    Files.writeString(sweep, TableOne.csv());
    return true;
  }

  @Override
  protected void print(PrintWriter out) {
    tally().forEach((verdict, count) -> out.printf("%4d %s%n", count, verdict.words()));
  }
}
