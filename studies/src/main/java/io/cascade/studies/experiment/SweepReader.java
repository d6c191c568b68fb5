package io.cascade.studies.experiment;

import io.cascade.api.orchestrator.SetupMode;
import io.cascade.model.tcp.CongestionControl;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Expands the axes of a sweep into its cells. */
final class SweepReader {
  private static final List<String> AXES =
      List.of(
          "rtt",
          "loss",
          "division",
          "rate",
          "queue",
          "at",
          "control",
          "hops",
          "relay",
          "setup",
          "buffer",
          "bytes",
          "beside",
          "route");

  private static final Pattern BDPS = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)bdp");

  /** Ten packets: a smaller queue drops packets of a window's burst. */
  private static final long LEAST_QUEUE_BYTES = 15_000;

  /** Parameters that a path of listed links has by itself. */
  private static final Set<String> OF_PLAIN_PATHS = Set.of("rtt", "loss", "division", "at");

  /** Parameters without effect on packets that no relay forwards. */
  private static final Set<String> OF_RELAYS =
      Set.of("division", "at", "hops", "relay", "setup", "buffer");

  private final RunLength length;
  private final double scale;
  private final int repetitions;
  private final double repetitionScale;

  SweepReader(RunLength length, int repetitions, ExperimentFile.Wish wish) {
    this.length = length;
    this.repetitions = repetitions;
    this.repetitionScale =
        wish.repetitions().isPresent() ? (double) wish.repetitions().getAsInt() / repetitions : 1;
    this.scale = wish.seconds().isPresent() ? wish.seconds().getAsDouble() / length.seconds() : 1;
  }

  Experiment.Sweep read(Entry sweep) {
    List<String> known = new ArrayList<>(AXES);
    known.addAll(
        List.of(
            "name",
            "about",
            "links",
            "seconds",
            "warmup",
            "repetitions",
            "watch-queue",
            "report-card"));
    sweep.only(known.toArray(String[]::new));
    if (sweep.at("links").isPresent()) {
      for (String axis : OF_PLAIN_PATHS) {
        if (sweep.at(axis).isPresent()) {
          throw sweep.wrong(axis + " beside links (expected: one of both)");
        }
      }
    }
    Map<String, Cell> cells = new LinkedHashMap<>();
    multiply(sweep, ExperimentFile.axes(sweep, AXES), new LinkedHashMap<>(), cells);
    return new Experiment.Sweep(
        sweep.require("name").text(),
        sweep.at("about").map(Entry::text).orElse("").strip(),
        sweep.at("report-card").map(Entry::yes).orElse(false),
        repetitions(sweep),
        List.copyOf(cells.values()));
  }

  private int repetitions(Entry sweep) {
    int own = sweep.at("repetitions").map(entry -> entry.wholeNumber(1)).orElse(repetitions);
    return (int) Math.max(1, Math.round(own * repetitionScale));
  }

  private void multiply(
      Entry sweep,
      Map<String, List<Entry>> axes,
      Map<String, Entry> chosen,
      Map<String, Cell> cells) {
    if (chosen.size() == axes.size()) {
      for (String route : routes(sweep, chosen)) {
        Cell cell = cell(sweep, chosen, route);
        cells.putIfAbsent(cell.key(), cell);
      }
      return;
    }
    String axis = axes.keySet().stream().skip(chosen.size()).findFirst().orElseThrow();
    for (Entry value : axes.getOrDefault(axis, List.of())) {
      chosen.put(axis, value);
      multiply(sweep, axes, chosen, cells);
      chosen.remove(axis);
    }
  }

  /** The given route, or for {@code all} the direct route and those over every set of relays. */
  private static List<String> routes(Entry sweep, Map<String, Entry> chosen) {
    Entry route = chosen.get("route");
    if (route == null) {
      throw sweep.wrong("route: missing");
    }
    if (!route.text().equals("all")) {
      return List.of(route.text());
    }
    List<String> sites = sites(sweep, chosen);
    if (sites.isEmpty()) {
      throw route.wrong("'all' (expected: only where links or at say which relays there are)");
    }
    List<String> routes = new ArrayList<>(List.of("direct"));
    for (int set = 1; set < 1 << sites.size(); set++) {
      List<String> via = new ArrayList<>();
      for (int i = 0; i < sites.size(); i++) {
        if ((set >> i & 1) == 1) {
          via.add(sites.get(i));
        }
      }
      routes.add("via " + String.join("+", via));
    }
    return routes;
  }

  /** Relays at fixed places; empty if every route divides the path itself. */
  private static List<String> sites(Entry sweep, Map<String, Entry> chosen) {
    List<String> sites = new ArrayList<>();
    if (sweep.at("links").isPresent()) {
      List<Entry> links = sweep.require("links").list();
      for (Entry link : links.subList(0, links.size() - 1)) {
        sites.add(link.require("to").text());
      }
    } else if (chosen.containsKey("at")) {
      int relays = cutsOf(chosen).size();
      for (int i = 1; i <= relays; i++) {
        sites.add("r" + i);
      }
    }
    return sites;
  }

  private static List<Double> cutsOf(Map<String, Entry> chosen) {
    return optional(chosen, "at", PathLayout::cuts).orElse(List.of());
  }

  private static <T> Optional<T> optional(
      Map<String, Entry> chosen, String axis, Function<String, T> reading) {
    return Optional.ofNullable(chosen.get(axis)).map(entry -> entry.as(reading));
  }

  private static OptionalLong size(Map<String, Entry> chosen, String axis) {
    return optional(chosen, axis, Quantity::bytes)
        .map(OptionalLong::of)
        .orElse(OptionalLong.empty());
  }

  private Cell cell(Entry sweep, Map<String, Entry> chosen, String routeText) {
    Entry routeEntry = chosen.getOrDefault("route", sweep);
    List<String> sites = sites(sweep, chosen);
    TransferPath route = routeEntry.as(_ -> TransferPath.parse(routeText, sites));
    Map<String, String> inputs = new LinkedHashMap<>();
    chosen.forEach((axis, entry) -> {
      if (!(route.direct() && OF_RELAYS.contains(axis))) {
        inputs.put(axis, entry.text());
      }
    });
    inputs.put("route", routeText);
    CongestionControl control = control(chosen, "control", CongestionControl.RENO);
    List<PathLink> links = links(sweep, chosen, route);
    OptionalLong bytes = size(chosen, "bytes");
    Cell cell =
        new Cell(
            sweep.require("name").text(),
            inputs,
            links,
            route,
            control,
            control(chosen, "hops", control),
            optional(chosen, "relay", Relaying::parse).orElseGet(Relaying.Pipelined::new),
            optional(chosen, "setup", SweepReader::setup).orElse(SetupMode.PARALLEL),
            size(chosen, "buffer"),
            bytes,
            0,
            0,
            sweep.at("watch-queue").map(Entry::yes).orElse(false),
            chosen.containsKey("beside")
                ? Optional.of(control(chosen, "beside", control))
                : Optional.empty());
    if (cell.beside().isPresent() && (route.direct() || cell.bytes().isPresent())) {
      throw sweep.wrong("beside (expected: a route through relays, for a time)");
    }
    return length.in(sweep).over(cell, scale, sweep);
  }

  private static List<PathLink> links(Entry sweep, Map<String, Entry> chosen, TransferPath route) {
    if (sweep.at("links").isPresent()) {
      long queue =
          optional(chosen, "queue", text -> queue(text, OptionalDouble.empty())).orElse(0L);
      return fixedLinks(sweep, chosen, queue);
    }
    double rtt = require(sweep, chosen, "rtt").as(Quantity::seconds);
    double loss = require(sweep, chosen, "loss").as(Quantity::share);
    double rate = require(sweep, chosen, "rate").as(Quantity::bitsPerSecond);
    OptionalDouble bdpBytes = OptionalDouble.of(rtt * rate / 8);
    long queue = optional(chosen, "queue", text -> queue(text, bdpBytes)).orElse(0L);
    PathLayout.Division division =
        optional(chosen, "division", PathLayout.Division::parse)
            .orElse(PathLayout.Division.DIVIDED);
    List<Double> cuts = cutsOf(chosen);
    if (cuts.isEmpty()) {
      cuts = PathLayout.equalCuts(Math.max(1, route.relays().size()));
    }
    boolean undivided = route.direct() && division == PathLayout.Division.UNCHANGED;
    return PathLayout.of(
        rtt, loss, rate, queue, undivided ? PathLayout.Division.DIVIDED : division, cuts);
  }

  private static List<PathLink> fixedLinks(Entry sweep, Map<String, Entry> chosen, long queue) {
    List<Entry> entries = sweep.require("links").list();
    double rtt = 0;
    for (Entry link : entries) {
      link.only("to", "rtt", "loss", "rate");
      rtt += link.require("rtt").as(Quantity::seconds);
    }
    List<PathLink> links = new ArrayList<>();
    for (Entry link : entries) {
      Entry rateEntry = link.at("rate").orElseGet(() -> require(sweep, chosen, "rate"));
      double rate = rateEntry.as(Quantity::bitsPerSecond);
      links.add(
          new PathLink(
              link.require("rtt").as(Quantity::seconds),
              link.require("loss").as(Quantity::share),
              rate,
              queue > 0 ? queue : PathLayout.queueOf(rtt, rate)));
    }
    return links;
  }

  private static Entry require(Entry sweep, Map<String, Entry> chosen, String axis) {
    Entry entry = chosen.get(axis);
    if (entry == null) {
      throw sweep.wrong(axis + ": missing");
    }
    return entry;
  }

  private static CongestionControl control(
      Map<String, Entry> chosen, String axis, CongestionControl otherwise) {
    Entry entry = chosen.get(axis);
    return entry == null
        ? otherwise
        : entry.as(text -> {
          for (CongestionControl control : CongestionControl.values()) {
            if (control.name().toLowerCase(Locale.ROOT).equals(text)) {
              return control;
            }
          }
          throw new IllegalArgumentException("'" + text + "' (expected: reno, cubic or bbr)");
        });
  }

  private static SetupMode setup(String text) {
    return switch (text) {
      case "parallel" -> SetupMode.PARALLEL;
      case "sequential" -> SetupMode.SEQUENTIAL;
      default ->
          throw new IllegalArgumentException("'" + text + "' (expected: parallel or sequential)");
    };
  }

  /**
   * Parses a queue: {@code 1bdp} is the default of the path, {@code 0.5bdp} is half of {@code
   * bdpBytes} but at least ten packets, other texts are sizes.
   */
  private static long queue(String text, OptionalDouble bdpBytes) {
    if (text.equals("1bdp")) {
      return 0;
    }
    Matcher share = BDPS.matcher(text);
    if (share.matches() && bdpBytes.isPresent()) {
      double bytes = Double.parseDouble(share.group(1)) * bdpBytes.getAsDouble();
      return Math.max(LEAST_QUEUE_BYTES, Math.round(bytes));
    }
    return Quantity.bytes(text);
  }
}
