package io.cascade.client.terminal;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Rows under headings, as wide as their longest cell. A heading that starts with > aligns right.
 */
public final class Table {
  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  public Table row(Object... cells) {
    if (cells.length != headings.size()) {
      throw new IllegalArgumentException(
          cells.length + " cells (expected: " + headings.size() + ")");
    }
    rows.add(java.util.Arrays.stream(cells).map(Table::text).toList());
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public void print(PrintWriter out) {
    print(out, "");
  }

  public void print(PrintWriter out, String indent) {
    List<String> plain = headings.stream().map(heading -> heading.replaceFirst("^>", "")).toList();
    int[] widths =
        IntStream.range(0, headings.size())
            .map(column ->
                Math.max(
                    plain.get(column).length(),
                    rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0)))
            .toArray();
    line(out, indent, plain, widths);
    rows.forEach(row -> line(out, indent, row, widths));
    out.flush();
  }

  private void line(PrintWriter out, String indent, List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder(indent);
    for (int column = 0; column < cells.size(); column++) {
      String padding = " ".repeat(widths[column] - cells.get(column).length());
      boolean right = headings.get(column).startsWith(">");
      line.append(right ? padding : "").append(cells.get(column)).append(right ? "" : padding);
      line.append(column < cells.size() - 1 ? "  " : "");
    }
    out.println(line.toString().stripTrailing());
  }

  /** What comes over the network must not move the cursor. */
  private static String text(Object cell) {
    return String.valueOf(cell).replaceAll("\\p{Cntrl}", " ");
  }
}
