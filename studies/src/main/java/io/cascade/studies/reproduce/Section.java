package io.cascade.studies.reproduce;

import io.cascade.charts.Chart;
import io.cascade.studies.study.Page;
import java.util.List;
import java.util.Map;

/**
 * One source's part of the report.
 *
 * @param text paragraphs before the table
 * @param charts by file name without its ending, in the order of the page
 * @param after paragraphs and tables after it, in Markdown
 */
record Section(
    String title,
    String text,
    List<PublishedFigure> claims,
    List<Map.Entry<String, Chart>> charts,
    String after) {

  Section {
    claims = List.copyOf(claims);
    charts = List.copyOf(charts);
  }

  void describe(Page page) {
    page.heading(2, title)
        .markdown(text)
        .table(
            "where | what | published | as published | corrected | difference | verdict",
            claims.stream().map(PublishedFigure::row).toList());
    charts.forEach(
        chart -> page.drawing(chart.getKey(), chart.getValue().title(), chart.getValue()::svg));
    page.markdown(after);
  }
}
