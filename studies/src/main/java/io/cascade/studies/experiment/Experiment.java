package io.cascade.studies.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The sweeps of a file, and the contents of its report.
 *
 * @param name of the file without its ending
 * @param title heading of the page
 * @param about purpose of the experiment and source of its figures
 * @param sweeps in the file's order
 */
public record Experiment(
    String name,
    String title,
    String about,
    List<Sweep> sweeps,
    long seed,
    List<Claim> claims,
    List<ChartRequest> charts) {

  /** Copies the lists. */
  public Experiment {
    sweeps = List.copyOf(sweeps);
    claims = List.copyOf(claims);
    charts = List.copyOf(charts);
  }

  /**
   * One description of many cells.
   *
   * @param reportCard whether the planner's choice is compared with the best measured one
   * @param repetitions of each cell
   */
  public record Sweep(
      String name, String about, boolean reportCard, int repetitions, List<Cell> cells) {
    /** Copies the cells. */
    public Sweep {
      cells = List.copyOf(cells);
    }
  }

  /** All cells, each of which is measured once in a repetition. */
  public List<Cell> cells() {
    return sweeps.stream().flatMap(sweep -> sweep.cells().stream()).toList();
  }

  /** The cells with the given inputs. */
  public List<Cell> cells(Map<String, String> wanted) {
    return cells().stream().filter(cell -> cell.matches(wanted)).toList();
  }

  /** All runs, ordered by repetition, so that drift affects all cells alike. */
  public List<Run> runs() {
    List<Run> runs = new ArrayList<>();
    int most = sweeps.stream().mapToInt(Sweep::repetitions).max().orElse(0);
    for (int repetition = 1; repetition <= most; repetition++) {
      for (Sweep sweep : sweeps) {
        for (Cell cell : repetition <= sweep.repetitions() ? sweep.cells() : List.<Cell>of()) {
          runs.add(new Run(cell, repetition));
        }
      }
    }
    return runs;
  }

  /** Largest number of relays on a cell's path. */
  public int mostRelays() {
    return cells().stream().mapToInt(cell -> cell.links().size() - 1).max().orElse(0);
  }
}
