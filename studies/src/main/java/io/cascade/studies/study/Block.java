package io.cascade.studies.study;

import io.cascade.charts.Chart;
import java.util.List;

/** A piece of a page. */
sealed interface Block {
  /**
   * A heading.
   *
   * @param level 2 is the highest below the title
   */
  record Heading(int level, String text) implements Block {}

  /** Text that may hold `code`, **bold** and [links](to). */
  record Paragraph(String text) implements Block {}

  /** Rows of as many cells as the header has. */
  record Table(List<String> header, List<List<String>> rows) implements Block {
    /** Copies the lists. */
    public Table {
      header = List.copyOf(header);
      rows = List.copyOf(rows);
    }
  }

  /**
   * A chart.
   *
   * @param name of its file, without an ending
   */
  record Figure(String name, Chart chart) implements Block {}
}
