package io.cascade.studies.reproduce;

import io.cascade.charts.Chart;
import java.util.List;
import java.util.Map;

/**
 * One source's part of the report.
 *
 * @param text paragraphs before the table
 * @param charts by file name without its ending, in the order of showing
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

  String markdown() {
    StringBuilder page = new StringBuilder();
    page.append("## ").append(title).append("\n\n").append(text.strip()).append("\n\n");
    page.append("| where | what | published | as published | corrected | difference | verdict |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    claims.forEach(claim -> page.append(claim.row()).append('\n'));
    charts.forEach(chart ->
        page.append("\n![")
            .append(chart.getValue().title())
            .append("](")
            .append(chart.getKey())
            .append(".svg)\n"));
    if (!after.isBlank()) {
      page.append('\n').append(after.strip()).append('\n');
    }
    return page.toString();
  }
}
