package io.cascade.client.terminal;

import io.cascade.command.Printable;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A table whose columns are as wide as their longest cell. A heading that starts with &gt; aligns
 * right.
 *
 * <p>If the table is wider than the terminal (100 columns without one), columns whose heading
 * starts with ? are left out, the last first; then the widest text columns are wrapped.
 */
public final class Table {
  private static final int USUAL_COLUMNS = 100;
  private static final int LEAST_WRAPPED = 12;
  private static final String GAP = "  ";

  private final List<Column> headed;
  private final List<List<String>> rows = new ArrayList<>();

  private record Column(int index, String heading, boolean right, boolean optional) {
    static Column of(int index, String marked) {
      boolean optional = marked.startsWith("?");
      String rest = optional ? marked.substring(1) : marked;
      boolean right = rest.startsWith(">");
      return new Column(index, right ? rest.substring(1) : rest, right, optional);
    }
  }

  public Table(String... headings) {
    headed = IntStream.range(0, headings.length).mapToObj(i -> Column.of(i, headings[i])).toList();
  }

  public Table row(Object... cells) {
    if (cells.length != headed.size()) {
      throw new IllegalArgumentException(cells.length + " cells (expected: " + headed.size() + ")");
    }
    rows.add(
        java.util.Arrays.stream(cells).map(cell -> Printable.line(String.valueOf(cell))).toList());
    return this;
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  public void print(PrintWriter out) {
    print(out, "");
  }

  public void print(PrintWriter out, String indent) {
    print(out, indent, columns());
  }

  /** Most characters of a line. */
  static int columns() {
    return Integer.getInteger("cascade.columns", USUAL_COLUMNS);
  }

  /**
   * @param most characters in a line, as far as possible
   */
  void print(PrintWriter out, String indent, int most) {
    List<Column> shown = new ArrayList<>(headed);
    while (width(indent, shown, widths(shown)) > most) {
      Column least = shown.stream().filter(Column::optional).reduce((_, last) -> last).orElse(null);
      if (least == null) {
        break;
      }
      shown.remove(least);
    }
    int[] widths = widths(shown);
    narrow(shown, widths, width(indent, shown, widths) - most);
    print(out, indent, shown, widths, shown.stream().map(Column::heading).toList());
    for (List<String> row : rows) {
      print(out, indent, shown, widths, shown.stream().map(one -> row.get(one.index())).toList());
    }
    out.flush();
  }

  private int[] widths(List<Column> shown) {
    return shown.stream()
        .mapToInt(column ->
            Math.max(
                column.heading().length(),
                rows.stream().mapToInt(row -> row.get(column.index()).length()).max().orElse(0)))
        .toArray();
  }

  private static int width(String indent, List<Column> shown, int[] widths) {
    return indent.length() + IntStream.of(widths).sum() + GAP.length() * (shown.size() - 1);
  }

  /** Removes the excess width from the widest text columns. */
  private void narrow(List<Column> shown, int[] widths, int tooMuch) {
    int left = tooMuch;
    while (left > 0) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        Column column = shown.get(i);
        int least = Math.max(LEAST_WRAPPED, longestWord(column));
        if (!column.right() && widths[i] > least && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
      left--;
    }
  }

  private int longestWord(Column column) {
    return rows.stream()
        .flatMap(row -> java.util.Arrays.stream(row.get(column.index()).split(" ", -1)))
        .mapToInt(String::length)
        .max()
        .orElse(0);
  }

  private static void print(
      PrintWriter out, String indent, List<Column> shown, int[] widths, List<String> cells) {
    List<List<String>> wrapped =
        IntStream.range(0, widths.length)
            .mapToObj(i -> Lines.wrapped(cells.get(i), widths[i]))
            .toList();
    int height = wrapped.stream().mapToInt(List::size).max().orElse(1);
    for (int line = 0; line < height; line++) {
      StringBuilder text = new StringBuilder(indent);
      for (int i = 0; i < widths.length; i++) {
        String part = line < wrapped.get(i).size() ? wrapped.get(i).get(line) : "";
        String padding = " ".repeat(Math.max(0, widths[i] - part.length()));
        text.append(shown.get(i).right() ? padding + part : part + padding);
        text.append(i < widths.length - 1 ? GAP : "");
      }
      out.println(text.toString().stripTrailing());
    }
  }
}
