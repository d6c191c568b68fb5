package io.cascade.studies.reproduce;

import io.cascade.charts.Chart;
import io.cascade.studies.study.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Every published figure that the model can be held against, as a page with its charts. */
final class ModelReport {

  static final String PAGE = "model.md";
  static final String SWEEP = "table-1.csv";

  private final List<Section> sections =
      List.of(
          CascadedTcpPaper.section(),
          CascadedTcpPoster.section(),
          ConnectionSplitting.section(),
          CodedTunnel.section(),
          SplitterCombiner.section());

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

  String markdown() {
    StringBuilder page =
        new StringBuilder(
            """
            # The published figures and the model

            Printed by `./cascade reproduce --model-only`; nothing here was measured by this project. Every row holds one published
            figure against the source's own equations, where it has any, and against the corrected model. "Difference" is the
            corrected value's from the nearer end of what was published; a value agrees within 10 %, unless a row needs another
            measure: 25 % where rates follow from measured losses, exactly where whole numbers are compared.

            A later study's grid of split connections stands in [split-connections.md](split-connections.md).

            | verdict | figures |
            |---|---|
            """);
    tally()
        .forEach((verdict, count) ->
            page.append("| ").append(verdict.words()).append(" | ").append(count).append(" |\n"));
    sections.forEach(section -> page.append('\n').append(section.markdown()));
    return page.toString();
  }

  /** Writes page, sweep and charts; the folder is made if need be. */
  void writeTo(Path folder) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve(PAGE), markdown());
    Path raw = Files.createDirectories(RawResults.of(folder));
    Files.writeString(raw.resolve(SWEEP), TableOne.csv());
    for (Section section : sections) {
      for (Map.Entry<String, Chart> chart : section.charts()) {
        Files.writeString(folder.resolve(chart.getKey() + ".svg"), chart.getValue().svg());
      }
    }
  }
}
