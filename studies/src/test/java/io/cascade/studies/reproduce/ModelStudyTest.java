package io.cascade.studies.reproduce;

import static io.cascade.studies.reproduce.PublishedFigure.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.studies.study.RawResults;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ModelStudyTest {
  private static final Path KEPT = Path.of("..", "docs", "experiments");
  private static final Path PAGE = KEPT.resolve("model.md");

  private final ModelStudy study = new ModelStudy();

  /** The command {@code ./cascade reproduce model} writes what should be there. */
  @Test
  void theKeptPageIsWhatTheModelSaysToday() {
    assertThat(PAGE).hasContent(study.page().markdown());
    assertThat(RawResults.of(KEPT).resolve(ModelStudy.SWEEP)).hasContent(TableOne.csv());
  }

  /** The charts' bytes depend on the fonts of the machine that drew them, so only their being. */
  @Test
  void everyChartOnThePageIsKept() throws Exception {
    List<String> shown =
        Pattern.compile("\\]\\(([^)]+\\.svg)\\)")
            .matcher(Files.readString(PAGE))
            .results()
            .map(MatchResult::group)
            .map(link -> link.substring(2, link.length() - 1))
            .toList();
    assertThat(shown).hasSize(12);
    for (String chart : shown) {
      assertThat(Files.readString(KEPT.resolve(chart))).contains("<svg").endsWith("</svg>\n");
    }
  }

  @Test
  void everyVerdictOccursAndMostFiguresAreReproduced() {
    assertThat(study.tally().values()).allMatch(count -> count > 0);
    long own = count(Agreement.OWN_NUMBERS);
    long all = study.tally().values().stream().mapToLong(Long::longValue).sum();
    assertThat(2 * (count(Agreement.REPRODUCED) + count(Agreement.REPRODUCED_ONCE_CORRECTED)))
        .isGreaterThan(all - own);
  }

  private long count(Agreement verdict) {
    return study.tally().getOrDefault(verdict, 0L);
  }

  @Test
  void aVerdictComparesBothModelsWithWhatWasPublished() {
    PublishedFigure agreed = at("p", "s").of("", 2, 2.1);
    assertThat(agreed.agreement()).isEqualTo(Agreement.REPRODUCED);
    assertThat(agreed.ownModel(2).agreement()).isEqualTo(Agreement.REPRODUCED);
    assertThat(agreed.ownModel(3).agreement()).isEqualTo(Agreement.REPRODUCED_ONCE_CORRECTED);
    PublishedFigure missed = at("p", "s").of("", 2, 3);
    assertThat(missed.agreement()).isEqualTo(Agreement.DIFFERS);
    assertThat(missed.ownModel(2).agreement()).isEqualTo(Agreement.DIFFERS);
    assertThat(agreed.ofOwnNumbers().agreement()).isEqualTo(Agreement.OWN_NUMBERS);
    assertThat(missed.ofOwnNumbers().agreement()).isEqualTo(Agreement.DIFFERS);
    assertThat(missed.ownModel(3).agreement()).isEqualTo(Agreement.CONTRADICTS_ITS_SOURCE);
    assertThat(at("p", "s").above("", 80, 80).agreement()).isEqualTo(Agreement.DIFFERS);
    assertThat(at("p", "s").below("", 1, 1).agreement()).isEqualTo(Agreement.DIFFERS);
    assertThat(at("p", "s").below("", 1, 0.5).agreement()).isEqualTo(Agreement.REPRODUCED);
  }

  @Test
  void figuresHaveThreeDigitsAndNoExponent() {
    assertThat(PublishedFigure.figure(0.001)).isEqualTo("0.001");
    assertThat(PublishedFigure.figure(0.512)).isEqualTo("0.512");
    assertThat(PublishedFigure.figure(2.8284)).isEqualTo("2.83");
    assertThat(PublishedFigure.figure(94.148)).isEqualTo("94.1");
    assertThat(PublishedFigure.figure(100)).isEqualTo("100");
    assertThat(PublishedFigure.figure(1_958_000)).isEqualTo("1958000");
    assertThat(PublishedFigure.figure(-1.5)).isEqualTo("-1.5");
  }

  @Test
  void aReportIsWrittenWhereAsked(@TempDir Path folder) throws Exception {
    Path out = folder.resolve("new").resolve("reports");
    StringWriter said = new StringWriter();

    int code =
        new CommandLine(study)
            .setOut(new PrintWriter(said))
            .setErr(new PrintWriter(said))
            .execute("--out", out.toString());

    assertThat(code).as(said.toString()).isZero();
    assertThat(out.resolve("model.md")).exists();
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files).hasSize(14);
    }
  }
}
