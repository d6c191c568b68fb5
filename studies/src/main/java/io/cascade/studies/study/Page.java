package io.cascade.studies.study;

import io.cascade.charts.Chart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Contents of a report, in order, before it is decided how they look. */
public final class Page {
  private static final Pattern PROLOGUE = Pattern.compile("(?s)^.*?(?=<svg)");
  private static final Pattern CODE = Pattern.compile("`([^`]*)`");
  private static final Pattern BOLD = Pattern.compile("\\*\\*([^*]*)\\*\\*");
  private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\(([^)]*)\\)");

  private static final String STYLE =
      """
      body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a}
      table{border-collapse:collapse;margin:1rem 0;font-size:.9rem;display:block;overflow-x:auto}
      th,td{border-bottom:1px solid #d0d0d0;padding:.25rem .6rem;text-align:left;vertical-align:top}
      th{background:#f4f4f4}
      svg{max-width:100%;height:auto}
      code{background:#f4f4f4}
      """;

  private final String title;
  private final List<Block> blocks = new ArrayList<>();

  public Page(String title) {
    this.title = title;
  }

  /** A heading; 2 is the highest below the title. */
  public Page heading(int level, String text) {
    blocks.add(new Block.Heading(level, text));
    return this;
  }

  /** Text that may hold `code`, **bold** and [links](to). */
  public Page paragraph(String text) {
    if (!text.isBlank()) {
      blocks.add(new Block.Paragraph(text.strip().replaceAll("\\s+", " ")));
    }
    return this;
  }

  public Page table(List<String> header, List<List<String>> rows) {
    blocks.add(new Block.Table(header, rows));
    return this;
  }

  /**
   * @param name of its file, without an ending
   */
  public Page figure(String name, Chart chart) {
    blocks.add(new Block.Figure(name, chart));
    return this;
  }

  /** Everything of another page below this one's, its title as a heading. */
  public Page append(Page other) {
    blocks.add(new Block.Heading(2, other.title));
    for (Block block : other.blocks) {
      blocks.add(
          block instanceof Block.Heading heading
              ? new Block.Heading(Math.min(4, heading.level() + 1), heading.text())
              : block);
    }
    return this;
  }

  /** Writes {@code name.md} and its charts as pictures beside it. */
  public void writeMarkdown(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    StringBuilder text = new StringBuilder("# " + title + "\n");
    for (Block block : blocks) {
      text.append('\n');
      switch (block) {
        case Block.Heading heading ->
            text.append("#".repeat(heading.level()))
                .append(' ')
                .append(heading.text())
                .append('\n');
        case Block.Paragraph paragraph -> text.append(paragraph.text()).append('\n');
        case Block.Table table -> {
          row(text, table.header());
          row(text, table.header().stream().map(_ -> "---").toList());
          table.rows().forEach(cells -> row(text, cells));
        }
        case Block.Figure figure -> {
          Files.write(folder.resolve(figure.name() + ".png"), figure.chart().png());
          text.append("![%s](%s.png)%n".formatted(figure.chart().title(), figure.name()));
        }
      }
    }
    Files.writeString(folder.resolve(name + ".md"), text);
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ")
        .append(String.join(" | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList()))
        .append(" |\n");
  }

  /** One file that needs nothing beside it. */
  public String html() {
    StringBuilder text = new StringBuilder();
    text.append("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n")
        .append("<meta name=\"viewport\" content=\"width=device-width\">\n<title>")
        .append(escaped(title))
        .append("</title>\n<style>\n")
        .append(STYLE)
        .append("</style>\n<h1>")
        .append(escaped(title))
        .append("</h1>\n");
    for (Block block : blocks) {
      switch (block) {
        case Block.Heading heading ->
            text.append(
                "<h%d>%s</h%d>%n"
                    .formatted(heading.level(), inline(heading.text()), heading.level()));
        case Block.Paragraph paragraph ->
            text.append("<p>").append(inline(paragraph.text())).append("</p>\n");
        case Block.Table table -> {
          text.append("<table>\n");
          htmlRow(text, table.header(), "th");
          table.rows().forEach(cells -> htmlRow(text, cells, "td"));
          text.append("</table>\n");
        }
        case Block.Figure figure ->
            text.append("<figure>")
                .append(PROLOGUE.matcher(figure.chart().svg()).replaceFirst(""))
                .append("</figure>\n");
      }
    }
    return text.append("</html>\n").toString();
  }

  private static void htmlRow(StringBuilder text, List<String> cells, String tag) {
    text.append("<tr>");
    cells.forEach(cell -> text.append("<%s>%s</%s>".formatted(tag, inline(cell), tag)));
    text.append("</tr>\n");
  }

  private static String inline(String text) {
    String safe = escaped(text);
    safe = CODE.matcher(safe).replaceAll("<code>$1</code>");
    safe = BOLD.matcher(safe).replaceAll("<b>$1</b>");
    return LINK.matcher(safe).replaceAll("<a href=\"$2\">$1</a>");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** A name for files: {@code Utilisation, 32 Mbit/s} is {@code utilisation-32-mbit-s}. */
  public static String fileName(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }
}
