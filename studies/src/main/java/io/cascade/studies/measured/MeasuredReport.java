package io.cascade.studies.measured;

import io.cascade.api.orchestrator.Decision;
import io.cascade.charts.Axis;
import io.cascade.charts.Chart;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.PathVerdict.Forecast;
import io.cascade.studies.report.Sample;
import io.cascade.studies.study.Page;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The page about all measured paths. */
final class MeasuredReport {
  /** The name of the page's and the pictures' files. */
  static final String NAME = "measured";

  private static final double GOOD_PATHS = 0.9;

  /** Paths that the goals are stated for. */
  private static final int WANTED_PATHS = 100;

  private static final double COVERED = 0.9;
  private static final double UNDECIDED = 0.1;

  private final List<PathResult> results;
  private final List<PathVerdict> verdicts;
  private final String machine;

  /**
   * @param machine what measured, in a sentence
   */
  MeasuredReport(List<PathResult> results, String machine) {
    this.results = results;
    this.verdicts =
        results.stream().filter(result -> result.failure() == null).map(PathVerdict::of).toList();
    this.machine = machine;
  }

  Page page() {
    Page page = new Page("The report card on measured inputs");
    introduction(page);
    if (verdicts.isEmpty()) {
      return page.paragraph("Nothing measured yet.");
    }
    goals(page);
    groups(page);
    charts(page);
    new PredictionSection(verdicts).describe(page);
    durations(page);
    misses(page);
    return page;
  }

  private void introduction(Page page) {
    page.paragraph(
        "Printed by `./cascade reproduce measured`. Paths are drawn by Latin hypercubes from a fixed"
            + " seed: Reno, CUBIC, BBR, or CUBIC with relays that use BBR; 10 to 100 Mbit/s and 20 to 250 ms,"
            + " evenly on a logarithmic scale; no loss on 15 %, otherwise 0.01 to 2 %, on 40 % of paths in bursts of 2"
            + " to 10 packets, on 70 % both ways; one to three relays, evenly spread, near the client, near the"
            + " server or anywhere; on the direct way's own routers, or off it with a longer way and less loss;"
            + " no bottleneck, one at the client, one at the server.");
    page.paragraph(
        "On half of the paths client and server are bare hosts (**bare ends**): their own legs are measured by"
            + " 50 connections and by test data (`plan --test`, 5 s each way, once more where that does not decide), for no relay"
            + " can run throughput tests there. On the other half a relay runs on"
            + " either host and measures in its stead (**relays at both ends**, `--from`; the server is named by its"
            + " address, for only so the plan knows that a relay is on its host).");
    page.paragraph(
        "Each path is a lab of its own with a new orchestrator and new relays, all settings as they are by default. The"
            + " product is told nothing of the network. After some 12 s of probes a first plan asks for throughput tests,"
            + " 10 s later a second one is made: its decision and intervals are judged here. Then one file, which"
            + " takes the direct way 14 s at the steady rate that the model expects (1 to 96 MiB), is sent by `send` alone and with"
            + " `--direct`, the one or the other first, and with `--via` over up to three ways: the one that the plan thinks best, the one that"
            + " the model would take if it was told the network, all relays. Further repetitions alternate with the"
            + " reverse order. One transfer at a time runs on the whole machine. All are timed from the start of the command: a fixed way's time has the opening of its chain in it,"
            + " that of `send` has measuring and planning as well. Over fixed ways relays choose from the same congestion controls as"
            + " for `send` (`--controls reno,cubic,bbr`).");
    double[] loads =
        results.stream()
            .flatMap(result -> result.transfers().stream())
            .mapToDouble(PathResult.Transfer::load)
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    page.paragraph(
        machine
            + (loads.length == 0
                ? ""
                : String.format(
                    Locale.ROOT,
                    " Other work ran on the machine at the same time: the load average was %.1f in the median and %.1f at"
                        + " most. Each transfer's load is in `measured.jsonl`.",
                    Sample.median(loads),
                    loads[loads.length - 1])));
    int failed = results.size() - verdicts.size();
    page.paragraph(
        String.format(
                Locale.ROOT,
                "%d paths, %d transfers, %d repetitions.",
                verdicts.size(),
                verdicts.stream().mapToInt(verdict -> verdict.result().transfers().size()).sum(),
                verdicts.stream()
                    .mapToInt(verdict -> verdict.result().repetitions())
                    .min()
                    .orElse(0))
            + (verdicts.size() < WANTED_PATHS
                ? " Fewer than the hundred that the goals ask for: what follows is a first look."
                : "")
            + (failed == 0
                ? ""
                : String.format(
                    Locale.ROOT, " %d more paths could not be measured: %s.", failed, failures())));
  }

  private String failures() {
    return String.join(
        "; ",
        results.stream()
            .filter(result -> result.failure() != null)
            .map(result -> "path " + result.path().number() + ": " + result.failure())
            .toList());
  }

  private void goals(Page page) {
    List<List<String>> rows = new ArrayList<>();
    Proportion good = Proportion.of(verdicts, PathVerdict::isGood);
    rows.add(
        List.of(
            "`send` at least 90 % of the best fixed way",
            "90 % of paths", good.words(), reached(good.share() >= GOOD_PATHS)));
    rows.add(
        List.of(
            "the same, beside chains that were open already",
            "none",
            Proportion.of(verdicts, PathVerdict::isGoodBesideOpenChains).words(),
            ""));
    Proportion worse = Proportion.of(verdicts, PathVerdict::isWorseThanDirect);
    rows.add(
        List.of(
            "`send` below 95 % of direct, trial included",
            "no path", worse.words(), reached(worse.count() == 0)));
    Proportion covered = coverage(verdicts, Forecast::closed);
    rows.add(
        List.of(
            "95 % interval with both bounds holds what was measured",
            "90 % of predictions", covered.words(), reached(covered.share() >= COVERED)));
    rows.add(
        List.of(
            "the same with open intervals, which seldom can fail",
            "none",
            coverage(verdicts, _ -> true).words(),
            ""));
    Proportion undecided = Proportion.of(verdicts, MeasuredReport::isUndecided);
    rows.add(
        List.of(
            "UNDECIDED after measuring",
            "under 10 % of plans",
            undecided.words(),
            reached(undecided.share() < UNDECIDED)));
    rows.add(
        List.of(
            "decided for a way that took more than a tenth longer than the other one",
            "none",
            Proportion.of(
                    verdicts.stream().filter(verdict -> !isUndecided(verdict)).toList(),
                    PathVerdict::isWronglyDecided)
                .words(),
            ""));
    page.heading(2, "Goals");
    page.table(List.of("what", "goal", "measured, Wilson interval at 95 %", ""), rows);
    page.paragraph(
        chance()
            + String.format(
                Locale.ROOT,
                " The best of several ways is taken after the fact, which favours it. Failed sends count as misses:"
                    + " %d of %d.",
                verdicts.stream().mapToLong(PathVerdict::failedSends).sum(),
                verdicts.stream().mapToLong(verdict -> verdict.sends().size()).sum()));
  }

  private String chance() {
    double spread = median(verdicts, PathVerdict::spread);
    if (Double.isNaN(spread)) {
      return "Every way was taken once: what losses happened to do is in each ratio, and no path shows how much"
          + " that is.";
    }
    return String.format(
        Locale.ROOT,
        "Repetitions differ: at 95 %%, the median path's ratios are known to a factor of %.2f. Of the paths below 90 %% of"
            + " the best, %d are below it beyond that of their own, and of those below 95 %% of direct, %d.",
        spread,
        verdicts.stream().filter(verdict -> !verdict.isGood() && verdict.isSurelyNotGood()).count(),
        verdicts.stream()
            .filter(verdict -> verdict.isWorseThanDirect() && verdict.isSurelyWorseThanDirect())
            .count());
  }

  private static String reached(boolean reached) {
    return reached ? "reached" : "**missed**";
  }

  private void groups(Page page) {
    Map<String, Predicate<PathVerdict>> groups = new LinkedHashMap<>();
    groups.put("bare ends", verdict -> verdict.result().path().ends() == Ends.BARE);
    groups.put("relays at both ends", verdict -> verdict.result().path().ends() == Ends.RELAYS);
    for (String control : List.of("reno", "cubic", "bbr")) {
      groups.put(
          control,
          verdict ->
              verdict.result().path().control().equals(control)
                  && verdict.result().path().relayControl().equals(control));
    }
    groups.put(
        "cubic, relays bbr",
        verdict ->
            !verdict.result().path().control().equals(verdict.result().path().relayControl()));
    groups.put("no loss", verdict -> verdict.result().path().loss() == 0);
    groups.put(
        "single losses",
        verdict -> verdict.result().path().loss() > 0 && verdict.result().path().burst() == 1);
    groups.put(
        "losses in bursts",
        verdict -> verdict.result().path().loss() > 0 && verdict.result().path().burst() > 1);
    for (EmulatedPath.Layout layout : EmulatedPath.Layout.values()) {
      groups.put(words(layout), verdict -> verdict.result().path().layout() == layout);
    }
    for (EmulatedPath.Bottleneck bottleneck : EmulatedPath.Bottleneck.values()) {
      groups.put(
          "bottleneck: " + words(bottleneck),
          verdict -> verdict.result().path().bottleneck() == bottleneck);
    }
    List<List<String>> rows = new ArrayList<>();
    groups.forEach((name, belongs) -> {
      List<PathVerdict> some = verdicts.stream().filter(belongs).toList();
      if (!some.isEmpty()) {
        rows.add(
            List.of(
                name,
                Proportion.of(some, PathVerdict::isGood).words(),
                Proportion.of(some, PathVerdict::isWorseThanDirect).words(),
                coverage(some, _ -> true).words(),
                Proportion.of(some, MeasuredReport::isUndecided).words(),
                String.format(Locale.ROOT, "%.2f", median(some, PathVerdict::gain)),
                String.format(Locale.ROOT, "%.2f", median(some, PathVerdict::ofDirect))));
      }
    });
    page.heading(2, "By kind of path");
    page.table(
        "paths | at least 90 % of best | below 95 % of direct | interval holds | undecided | "
            + "best over direct, median | `send` over direct, median",
        rows);
  }

  private void charts(Page page) {
    page.heading(2, "Distributions");
    page.figure(
        NAME + "-of-best",
        new Chart(
            "send over the best fixed way",
            Axis.linear("rate over the best fixed way's"),
            Axis.linear("share of paths up to it [%]"),
            List.of(
                    Distribution.line("all", verdicts, PathVerdict::ofBest),
                    Distribution.line("bare ends", ends(Ends.BARE), PathVerdict::ofBest),
                    Distribution.line(
                        "relays at both ends", ends(Ends.RELAYS), PathVerdict::ofBest))
                .stream()
                .flatMap(Optional::stream)
                .toList()));
    page.figure(
        NAME + "-of-direct",
        new Chart(
            "send, and the best fixed way, over direct",
            Axis.logarithmic("rate over the direct way's"),
            Axis.linear("share of paths up to it [%]"),
            List.of(
                    Distribution.line("send", verdicts, PathVerdict::ofDirect),
                    Distribution.line("best fixed way", verdicts, PathVerdict::gain))
                .stream()
                .flatMap(Optional::stream)
                .toList()));
  }

  private List<PathVerdict> ends(Ends ends) {
    return verdicts.stream().filter(verdict -> verdict.result().path().ends() == ends).toList();
  }

  private void durations(Page page) {
    List<PathResult.Transfer> sends =
        verdicts.stream()
            .flatMap(verdict -> verdict.sends().stream())
            .filter(send -> send.seconds() != null)
            .toList();
    List<List<String>> rows = new ArrayList<>();
    for (MissCause.Moment moment : MissCause.Moment.values()) {
      double[] times =
          sends.stream()
              .flatMap(send -> moment.in(send.notes()).stream())
              .mapToDouble(Double::doubleValue)
              .sorted()
              .toArray();
      if (times.length > 0) {
        rows.add(
            List.of(
                moment.words(),
                String.valueOf(times.length),
                String.format(Locale.ROOT, "%.1f s", Sample.median(times)),
                String.format(Locale.ROOT, "%.1f s", times[9 * times.length / 10])));
      }
    }
    page.heading(2, "How long a send takes to decide");
    page.paragraph(
        String.format(
            Locale.ROOT,
            "After its process was started; all of it counts against `send`. %d sends came through.",
            sends.size()));
    page.table(List.of("until", "sends", "median", "90th percentile"), rows);
  }

  private void misses(Page page) {
    List<PathVerdict> misses =
        verdicts.stream()
            .filter(verdict -> !verdict.isGood() || verdict.isWorseThanDirect())
            .sorted(Comparator.comparingDouble(PathVerdict::ofBest))
            .toList();
    page.heading(2, "Misses");
    if (misses.isEmpty()) {
      page.paragraph("None.");
      return;
    }
    page.paragraph(
        "Every path on which `send` was below 90 % of the best fixed way or below 95 % of direct, with what each send says"
            + " of itself. Ratios in brackets may be chance, as far as the path's own repetitions tell.");
    List<List<String>> rows = new ArrayList<>();
    for (PathVerdict verdict : misses) {
      rows.add(
          List.of(
              String.valueOf(verdict.result().path().number()),
              verdict.result().path().words(),
              verdict.decision().map(one -> one.toString().toLowerCase(Locale.ROOT)).orElse("–"),
              verdict.best()
                  + String.format(
                      Locale.ROOT,
                      ", %.1f s",
                      verdict.seconds().getOrDefault(verdict.best(), Double.NaN)),
              verdict.isSurelyNotGood()
                  ? String.format(Locale.ROOT, "%.2f", verdict.ofBest())
                  : String.format(Locale.ROOT, "(%.2f)", verdict.ofBest()),
              verdict.isSurelyWorseThanDirect()
                  ? String.format(Locale.ROOT, "%.2f", verdict.ofDirect())
                  : String.format(Locale.ROOT, "(%.2f)", verdict.ofDirect()),
              MissCause.of(verdict)));
    }
    page.table(
        List.of("path", "", "plan", "best fixed way", "of best", "of direct", "sends"), rows);
  }

  private static boolean isUndecided(PathVerdict verdict) {
    return verdict.decision().filter(Decision.UNDECIDED::equals).isPresent();
  }

  private static Proportion coverage(List<PathVerdict> some, Predicate<Forecast> counted) {
    return Forecast.covered(
        some.stream().flatMap(one -> one.forecasts().stream()).filter(counted).toList());
  }

  private static double median(List<PathVerdict> some, ToDoubleFunction<PathVerdict> value) {
    return Distribution.median(some, value);
  }

  static String words(Enum<?> value) {
    return switch (value.name()) {
      case "BARE" -> "bare ends";
      case "RELAYS" -> "relays at both ends";
      default -> value.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    };
  }
}
