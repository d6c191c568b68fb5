package io.cascade.studies.experiment;

import io.cascade.command.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads experiments from YAML. Errors name the place in the file. */
public final class ExperimentFile {
  private static final YAMLMapper YAML = YAMLMapper.builder().build();

  private ExperimentFile() {}

  /**
   * Values of the caller that replace those of the file.
   *
   * @param seconds of runs that last for a time
   */
  public record Wish(OptionalInt repetitions, OptionalDouble seconds) {
    /** Keeps the values of the file. */
    public static final Wish NONE = new Wish(OptionalInt.empty(), OptionalDouble.empty());
  }

  /**
   * @throws CommandException naming file and place
   */
  public static Experiment read(Path file, Wish wish) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new CommandException(file + ": cannot be read (" + e.getMessage() + ")", e);
    }
    String name = file.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    return parse(file.toString(), name, text, wish);
  }

  static Experiment parse(String file, String name, String text, Wish wish) {
    Entry root;
    try {
      root = Entry.root(file, YAML.readTree(text));
    } catch (JacksonException e) {
      throw new CommandException(
          file
              + (e.getLocation() == null ? "" : ":" + e.getLocation().getLineNr())
              + ": not YAML: "
              + e.getOriginalMessage().lines().findFirst().orElse(""),
          e);
    }
    root.only(
        "title",
        "about",
        "seconds",
        "warmup",
        "round-trips",
        "warmup-round-trips",
        "losses",
        "warmup-losses",
        "longest",
        "repetitions",
        "seed",
        "sweeps",
        "claims",
        "charts");
    RunLength length = RunLength.of(root);
    int repetitions = root.at("repetitions").map(entry -> entry.wholeNumber(1)).orElse(2);
    List<Experiment.Sweep> sweeps = new ArrayList<>();
    for (Entry entry : root.require("sweeps").list()) {
      Experiment.Sweep sweep = new SweepReader(length, repetitions, wish).read(entry);
      if (sweeps.stream().anyMatch(other -> other.name().equals(sweep.name()))) {
        throw entry.wrong("'" + sweep.name() + "' (expected: a name of its own)");
      }
      sweeps.add(sweep);
    }
    Experiment experiment =
        new Experiment(
            name,
            root.require("title").text(),
            root.at("about").map(Entry::text).orElse("").strip(),
            sweeps,
            root.at("seed").map(entry -> entry.wholeNumber(0)).orElse(1),
            List.of(),
            List.of());
    return new Experiment(
        experiment.name(),
        experiment.title(),
        experiment.about(),
        sweeps,
        experiment.seed(),
        claims(root, experiment),
        charts(root, experiment));
  }

  private static List<Claim> claims(Entry root, Experiment experiment) {
    List<Claim> claims = new ArrayList<>();
    for (Entry entry : root.at("claims").map(Entry::list).orElse(List.of())) {
      entry.only("says", "published", "figure", "of", "over", "holds");
      List<Entry> bounds = entry.require("holds").list();
      if (bounds.size() != 2) {
        throw entry.require("holds").wrong("expected: [least, most]");
      }
      claims.add(
          new Claim(
              entry.require("says").text(),
              entry.at("published").map(Entry::text).orElse(""),
              entry.at("figure").map(ExperimentFile::figure).orElse(Claim.Figure.GOODPUT),
              oneCell(entry.require("of"), experiment),
              entry.at("over").map(over -> oneCell(over, experiment)),
              bounds.get(0).number(),
              bounds.get(1).number()));
    }
    return claims;
  }

  private static List<ChartRequest> charts(Entry root, Experiment experiment) {
    List<ChartRequest> charts = new ArrayList<>();
    for (Entry entry : root.at("charts").map(Entry::list).orElse(List.of())) {
      entry.only("title", "where", "x", "y", "lines", "gain-over", "log");
      String log = entry.at("log").map(Entry::text).orElse("");
      Entry where = entry.require("where");
      if (experiment.cells(where.texts()).isEmpty()) {
        throw where.wrong(where.texts() + " (expected: inputs that some cell has)");
      }
      charts.add(
          new ChartRequest(
              entry.require("title").text(),
              where.texts(),
              entry.require("x").text(),
              entry.at("y").map(ExperimentFile::figure).orElse(Claim.Figure.GOODPUT),
              entry.at("lines").map(Entry::text).orElse("route"),
              entry.at("gain-over").map(Entry::texts),
              log.contains("x"),
              log.contains("y")));
    }
    return charts;
  }

  private static Map<String, String> oneCell(Entry entry, Experiment experiment) {
    Map<String, String> wanted = entry.texts();
    int found = experiment.cells(wanted).size();
    if (found != 1) {
      throw entry.wrong(wanted + " matches " + found + " cells (expected: one)");
    }
    return wanted;
  }

  private static Claim.Figure figure(Entry entry) {
    return entry.as(text -> {
      for (Claim.Figure figure : Claim.Figure.values()) {
        if (figure.name().toLowerCase(Locale.ROOT).equals(text)) {
          return figure;
        }
      }
      throw new IllegalArgumentException(
          "'" + text + "' (expected: goodput, utilisation, seconds, total, setup or held)");
    });
  }

  /** The values on each axis, or the default if the file has none. */
  static Map<String, List<Entry>> axes(Entry sweep, List<String> names) {
    Map<String, List<Entry>> axes = new LinkedHashMap<>();
    for (String name : names) {
      Optional<Entry> entry = sweep.at(name);
      entry.ifPresent(present -> axes.put(name, present.list()));
    }
    return axes;
  }
}
