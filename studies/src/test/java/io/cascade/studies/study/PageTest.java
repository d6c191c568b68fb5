package io.cascade.studies.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
  private static final Page PAGE =
      new Page("Title")
          .paragraph("one\n  two")
          .paragraph(" ")
          .markdown("as\nit is\n")
          .heading(2, "Goals")
          .goals(
              List.of(
                  new Goal("a", "≤ 1", "0.5", Finding.MET),
                  new Goal("b|c", "≤ 1", "2", Finding.MISSED)))
          .drawing("chart", "A chart", () -> "<svg/>");

  @TempDir private Path folder;

  @Test
  void isMarkdownInOrder() {
    assertThat(PAGE.markdown())
        .isEqualTo(
            """
            # Title

            one two

            as
            it is

            ## Goals

            | what | goal | found | verdict |
            | --- | --- | --- | --- |
            | a | ≤ 1 | 0.5 | met |
            | b\\|c | ≤ 1 | 2 | **missed** |

            ![A chart](chart.svg)
            """);
  }

  @Test
  void isWrittenWithItsPictures() throws Exception {
    PAGE.writeMarkdown(folder.resolve("new"), "page");

    assertThat(folder.resolve("new/page.md")).hasContent(PAGE.markdown());
    assertThat(folder.resolve("new/chart.svg")).hasContent("<svg/>");
  }

  @Test
  void headingsAndTablesAreForATerminal() {
    StringWriter said = new StringWriter();

    PAGE.print(new PrintWriter(said));

    assertThat(said.toString()).contains("Goals", "MISSED").doesNotContain("one two", "**", "svg");
  }
}
