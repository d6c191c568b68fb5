package io.cascade.studies.topologies;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;

/** One number for each ordered pair of regions; pairs without a measurement are missing. */
public final class PairTable {

  private final Map<String, Map<String, Double>> rows;

  private PairTable(Map<String, Map<String, Double>> rows) {
    this.rows = rows;
  }

  /**
   * Reads comma-separated values: a row for each source, a column for each destination, the names
   * in the first row and column.
   *
   * @throws IllegalArgumentException if a row has another length than the first
   */
  public static PairTable parse(String csv) {
    List<String> lines = csv.lines().toList();
    String[] header = lines.getFirst().split(",", -1);
    Map<String, Map<String, Double>> rows = new LinkedHashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",", -1);
      if (cells.length != header.length) {
        throw new IllegalArgumentException(
            "row of "
                + cells[0]
                + ": "
                + cells.length
                + " cells (expected: "
                + header.length
                + ")");
      }
      Map<String, Double> row = new LinkedHashMap<>();
      for (int column = 1; column < cells.length; column++) {
        if (!cells[column].isEmpty()) {
          row.put(header[column], Double.valueOf(cells[column]));
        }
      }
      rows.put(cells[0], row);
    }
    return new PairTable(rows);
  }

  /** The value from one region to another, if there is one. */
  public OptionalDouble value(String from, String to) {
    Double value = rows.getOrDefault(from, Map.of()).get(to);
    return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
  }

  /** The values from a region, by destination. */
  public Map<String, Double> valuesFrom(String from) {
    return rows.getOrDefault(from, Map.of());
  }

  /** Every region with a value from it or to it, in alphabetical order. */
  public Set<String> regions() {
    Set<String> regions = new TreeSet<>();
    rows.forEach((from, row) -> {
      if (!row.isEmpty()) {
        regions.add(from);
        regions.addAll(row.keySet());
      }
    });
    return regions;
  }

  /** Number of ordered pairs that have a value. */
  public int pairs() {
    return rows.values().stream().mapToInt(Map::size).sum();
  }

  /** The values of the pairs that another table has as well. */
  public PairTable within(PairTable other) {
    Map<String, Map<String, Double>> kept = new LinkedHashMap<>();
    rows.forEach((from, row) -> {
      Map<String, Double> values = new LinkedHashMap<>(row);
      values.keySet().retainAll(other.valuesFrom(from).keySet());
      kept.put(from, values);
    });
    return new PairTable(kept);
  }

  /** The table with every value changed, in the order of the file. */
  public PairTable map(DoubleUnaryOperator change) {
    Map<String, Map<String, Double>> changed = new LinkedHashMap<>();
    rows.forEach((from, row) -> {
      Map<String, Double> values = new LinkedHashMap<>();
      row.forEach((to, value) -> values.put(to, change.applyAsDouble(value)));
      changed.put(from, values);
    });
    return new PairTable(changed);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PairTable table && rows.equals(table.rows);
  }

  @Override
  public int hashCode() {
    return rows.hashCode();
  }
}
