package io.cascade.studies.study;

import io.cascade.charts.Chart;
import io.cascade.client.terminal.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/** Contents of a report in order, written as Markdown with image files beside it. */
public final class Page {
  private final String title;
  private final List<Block> blocks = new ArrayList<>();

  private sealed interface Block {
    record Text(String markdown) implements Block {}

    /** A table; every row has as many cells as the header. */
    record Rows(List<String> header, List<List<String>> rows) implements Block {}

    record Picture(String file, String title, Supplier<byte[]> content) implements Block {}
  }

  public Page(String title) {
    this.title = title;
  }

  /** A heading; 2 is the highest below the title. */
  public Page heading(int level, String text) {
    return markdown("#".repeat(level) + " " + text);
  }

  /** Text that may hold `code`, **bold** and [links](to), as one paragraph. */
  public Page paragraph(String text) {
    return markdown(text.strip().replaceAll("\\s+", " "));
  }

  /** Raw Markdown; ignored if it is blank. */
  public Page markdown(String text) {
    if (!text.isBlank()) {
      blocks.add(new Block.Text(text.strip()));
    }
    return this;
  }

  public Page table(List<String> header, List<List<String>> rows) {
    blocks.add(new Block.Rows(List.copyOf(header), List.copyOf(rows)));
    return this;
  }

  /**
   * A table whose header is one text.
   *
   * @param header cells with {@code " | "} between them
   */
  public Page table(String header, List<List<String>> rows) {
    return table(List.of(header.split(" \\| ", -1)), rows);
  }

  /** A table of goals and their measured values. */
  public Page goals(List<Goal> goals) {
    return table("what | goal | found | verdict", goals.stream().map(Goal::row).toList());
  }

  /**
   * A chart as a raster image.
   *
   * @param name of its file, without an ending
   */
  public Page figure(String name, Chart chart) {
    blocks.add(new Block.Picture(name + ".png", chart.title(), chart::png));
    return this;
  }

  /**
   * A chart as vector graphics.
   *
   * @param name of its file, without an ending
   */
  public Page drawing(String name, String caption, Supplier<String> svg) {
    blocks.add(
        new Block.Picture(
            name + ".svg", caption, () -> svg.get().getBytes(StandardCharsets.UTF_8)));
    return this;
  }

  /** The page's text. */
  public String markdown() {
    StringBuilder text = new StringBuilder("# " + title + "\n");
    for (Block block : blocks) {
      text.append('\n');
      switch (block) {
        case Block.Text some -> text.append(some.markdown()).append('\n');
        case Block.Rows table -> {
          row(text, table.header());
          row(text, table.header().stream().map(_ -> "---").toList());
          table.rows().forEach(cells -> row(text, cells));
        }
        case Block.Picture picture ->
            text.append("![%s](%s)\n".formatted(picture.title(), picture.file()));
      }
    }
    return text.toString();
  }

  /** Writes {@code name.md} and its images beside it. */
  public void writeMarkdown(Path folder, String name) throws IOException {
    Files.createDirectories(folder);
    for (Block block : blocks) {
      if (block instanceof Block.Picture picture) {
        Files.write(folder.resolve(picture.file()), picture.content().get());
      }
    }
    Files.writeString(folder.resolve(name + ".md"), markdown());
  }

  private static void row(StringBuilder text, List<String> cells) {
    text.append("| ")
        .append(String.join(" | ", cells.stream().map(cell -> cell.replace("|", "\\|")).toList()))
        .append(" |\n");
  }

  /** Prints headings and tables for a terminal, without the other text. */
  public void print(PrintWriter out) {
    for (Block block : blocks) {
      if (block instanceof Block.Text some && some.markdown().startsWith("#")) {
        out.printf("%n%s%n", some.markdown().replaceFirst("^#+ ", ""));
      } else if (block instanceof Block.Rows table) {
        Table lines = new Table(table.header().toArray(String[]::new));
        table.rows().forEach(row -> lines.row(row.stream().map(Page::plain).toArray()));
        lines.print(out, "  ");
      }
    }
    out.flush();
  }

  /** Removes Markdown; bold text becomes upper case. */
  private static String plain(String cell) {
    return cell.startsWith("**")
        ? cell.replace("**", "").toUpperCase(Locale.ROOT)
        : cell.replace("`", "");
  }

  /**
   * Converts a title to a file name: {@code Utilisation, 32 Mbit/s} becomes {@code
   * utilisation-32-mbit-s}.
   */
  public static String fileName(String text) {
    return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
  }
}
