package io.cascade.studies.bench;

import io.cascade.command.CommandException;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.Jcmd;
import io.cascade.studies.study.JsonLines;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Runner;
import io.cascade.studies.study.Study;
import io.cascade.studies.study.Workplace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The relay beside other proxies on this machine. */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = {
      "Compare the relay on this machine with HAProxy, nginx, socat, loops in C and no proxy at"
          + " all.",
      "Skips proxies that are not installed. Every proxy has one thread and, if there are two"
          + " processors, one of its own; more of both in the part cores. A repetition is one"
          + " round of all measurements. Linux only.",
      "",
      "Example: cascade reproduce bench --quick --only bulk --out /tmp/bench"
    })
public class BenchStudy extends Study<String, BenchReport> {
  private static final double QUICK_SECONDS = 0.2;
  private static final int IN_A_ROW = 3;
  private static final List<Trial> IDLE_TRIALS =
      List.of(new Trial.Idle(1_000), new Trial.Idle(8_000), new Trial.Idle(50_000));

  /** Part that can be measured. */
  enum Part {
    BULK,
    LATENCY,
    CONNECTIONS,
    START,
    IDLE,
    CHAIN,
    FRAMED,
    TLS,
    ALLOCATIONS,
    CORES;

    /** The name on the command line. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "PART",
      description = {
        "Measure only these parts: ${COMPLETION-CANDIDATES} (default: all of them).",
        "allocations: the relay's garbage and the code that allocates it, by Java's Flight"
            + " Recorder, for bulk data and for short connections.",
        "framed: two relays with a framed pipe between them, as for streams that survive relays,"
            + " compared with the same two without frames.",
        "cores: the relay with 1, 2, 4, … processors compared with HAProxy with as many, as ratios"
            + " to one; client and server use half of the machine, so two processors for a proxy"
            + " take four."
      })
  private List<Part> only = List.of();

  @Option(
      names = "--against",
      split = ",",
      paramLabel = "NAME",
      description =
          "Compare only with these, by a word of their names: copy, splice, haproxy, nginx, socat,"
              + " C, direct (default: all of them).")
  private List<String> against = List.of();

  @Option(
      names = "--seconds",
      paramLabel = "S",
      description = "Run each measurement for this long (default: ${DEFAULT-VALUE}).")
  private double seconds = 1.5;

  @Option(
      names = "--quick",
      description = "Check quickly that everything works, in one round; the figures mean nothing.")
  private boolean quick;

  public BenchStudy() {
    super("bench", 5, BenchReport.class, _ -> BenchReport.KEY);
  }

  @Override
  protected void check() {
    if (!(seconds > 0)) {
      throw refuse("--seconds " + seconds + " (expected: more than 0)");
    }
    String partial =
        !only.isEmpty() ? "--only" : !against.isEmpty() ? "--against" : quick ? "--quick" : "";
    if (!partial.isEmpty() && !isOutNamed()) {
      throw refuse(
          "%s would replace %s, which is of everything: name another folder with --out"
              .formatted(partial, folder().page()));
    }
  }

  /** Measures even if results are stored: those may be of another time or machine. */
  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    return measure(this, new OfThisRun(results()), tasks(), parallel(), err);
  }

  /** Appends to the stored results, but returns only those of this run. */
  private static final class OfThisRun implements Runner.Results<BenchReport> {
    private final JsonLines<BenchReport> stored;
    private final Map<String, BenchReport> added = new HashMap<>();

    OfThisRun(JsonLines<BenchReport> stored) {
      this.stored = stored;
    }

    @Override
    public Map<String, BenchReport> byKey() {
      return Map.copyOf(added);
    }

    @Override
    public void append(BenchReport report) {
      stored.append(report);
      added.put(BenchReport.KEY, report);
    }
  }

  /**
   * One task for everything: contenders that are compared have to be measured in the same rounds.
   */
  @Override
  protected List<String> tasks() {
    return List.of(BenchReport.KEY);
  }

  @Override
  public String key(String task) {
    return task;
  }

  @Override
  public boolean isAnswered(String task, BenchReport result) {
    return result.failures().isEmpty();
  }

  @Override
  public Bench<String, BenchReport> open(int number) throws Exception {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      throw new CommandException(
          "bench needs Linux: it counts processor time and memory from /proc");
    }
    Workplace work = Workplace.make("bench");
    return Measurement.on(work, _ -> run(work));
  }

  private BenchReport run(Workplace work) throws IOException, InterruptedException {
    int rounds = quick ? 1 : repetitions();
    double each = quick ? QUICK_SECONDS : seconds;
    Processors division = Processors.divide();
    Machine machine = Machine.look(division, Runtime.getRuntime().availableProcessors());
    Progress progress = new Progress(err());
    try (ProxyProcesses processes = new ProxyProcesses(work.path(), division);
        Destination destination = Destination.open()) {
      BenchRun run = new BenchRun(processes, destination, rounds, each, progress);
      Set<Part> parts = only.isEmpty() ? EnumSet.allOf(Part.class) : EnumSet.copyOf(only);
      List<SideBySide> comparisons = comparisons(parts, work.command(), run.notices());
      List<Scaling> scalings = scalings(parts, division, work.command(), run.notices());
      boolean records = parts.contains(Part.ALLOCATIONS) && Jcmd.installed();
      if (parts.contains(Part.ALLOCATIONS) && !records) {
        run.notices().add("allocations: need jcmd, which comes with a JDK");
      }
      run.notices().forEach(err()::println);
      List<SideBySide> all = new ArrayList<>(comparisons);
      scalings.forEach(scaling -> all.add(scaling.comparison()));
      progress.expect(BenchRun.steps(all, rounds));
      for (SideBySide comparison : comparisons) {
        run.run(comparison);
      }
      List<AllocationProfile> allocations =
          records
              ? new AllocationProfiling(
                      processes,
                      destination,
                      new WarmUp(destination, rounds, each),
                      rounds * each,
                      progress,
                      run.failures())
                  .run(work.command())
              : List.of();
      // Measured last, because the processor affinity of the ends stays changed afterwards.
      for (Scaling scaling : scalings) {
        scaling.cores().division(1).settle();
        run.run(scaling.comparison());
      }
      return BenchReport.of(machine, rounds, each, comparisons, scalings, allocations, run);
    }
  }

  @Override
  public String words(BenchReport result) {
    return result.failures().isEmpty()
        ? "every byte arrived"
        : "FAILED: " + String.join("; ", result.failures());
  }

  @Override
  protected Page page() {
    return BenchPage.of(results().read().getLast());
  }

  @Override
  protected void print(PrintWriter out) {
    page().print(out);
  }

  private List<Scaling> scalings(
      Set<Part> parts, Processors division, CascadeCommand cascade, List<String> notices) {
    if (!parts.contains(Part.CORES)) {
      return List.of();
    }
    Cores cores = Cores.of(division);
    if (!cores.suffice()) {
      notices.add("cores: need two processors, better four, and taskset");
      return List.of();
    }
    return List.of(
        scaling(
            cores,
            new Trial.Bulk(8),
            List.of(Metric.THROUGHPUT, Metric.RELAY_CPU, Metric.ALL_CPU),
            new CascadeRelays(1, CascadeRelays.COPY, cascade),
            notices),
        scaling(
            cores,
            new Trial.Connections(),
            List.of(Metric.CONNECTIONS, Metric.RELAY_CPU_PER_CONNECTION),
            new CascadeRelays(1, CascadeRelays.AUTO, cascade),
            notices));
  }

  private Scaling scaling(
      Cores cores, Trial trial, List<Metric> metrics, CascadeRelays relay, List<String> notices) {
    List<OnProcessors> contenders = new ArrayList<>();
    for (int count : cores.counts()) {
      contenders.add(new OnProcessors(relay.withEventLoops(count), cores.division(count)));
    }
    present(
        cores.counts().stream()
            .map(count ->
                new OnProcessors(new HaProxy(HaProxy.Way.LARGE, count), cores.division(count))),
        contenders,
        notices);
    return new Scaling(cores, trial, metrics, contenders);
  }

  private List<SideBySide> comparisons(
      Set<Part> parts, CascadeCommand cascade, List<String> notices) {
    List<SideBySide> comparisons = new ArrayList<>();
    List<Trial> trials = trials(parts);
    if (!trials.isEmpty()) {
      List<BenchContender> contenders = new ArrayList<>();
      contenders.add(new CascadeRelays(1, CascadeRelays.AUTO, cascade));
      present(
          Stream.of(
              new CascadeRelays(1, CascadeRelays.COPY, cascade),
              new CascadeRelays(1, CascadeRelays.SPLICE, cascade),
              new HaProxy(HaProxy.Way.DEFAULT),
              new HaProxy(HaProxy.Way.LARGE),
              new HaProxy(HaProxy.Way.SPLICE),
              new NginxStream(),
              new Socat(),
              new NativeLoop(false),
              new NativeLoop(true),
              new Direct()),
          contenders,
          notices);
      comparisons.add(new SideBySide("", contenders, trials));
    }
    if (parts.contains(Part.CHAIN)) {
      List<BenchContender> contenders = new ArrayList<>();
      contenders.add(new CascadeRelays(IN_A_ROW, CascadeRelays.AUTO, cascade));
      present(
          Stream.of(
              new SerialContenders(new HaProxy(HaProxy.Way.LARGE), IN_A_ROW),
              new SerialContenders(new HaProxy(HaProxy.Way.SPLICE), IN_A_ROW)),
          contenders,
          notices);
      comparisons.add(
          new SideBySide(
              IN_A_ROW + " in a row",
              contenders,
              List.of(new Trial.Bulk(1), new Trial.Latency(), new Trial.Connections())));
    }
    if (parts.contains(Part.FRAMED)) {
      comparisons.add(
          new SideBySide(
              "a framed pipe between two",
              List.of(
                  CascadeRelays.framed(2, cascade),
                  new CascadeRelays(2, CascadeRelays.COPY, cascade)),
              List.of(new Trial.Bulk(1), new Trial.Bulk(8), new Trial.Latency())));
    }
    if (parts.contains(Part.TLS)) {
      List<BenchContender> contenders = new ArrayList<>();
      contenders.add(CascadeRelays.encrypted(2, cascade));
      contenders.add(CascadeRelays.encryptedByJdk(2, cascade));
      contenders.add(new CascadeRelays(2, CascadeRelays.AUTO, cascade));
      present(Stream.of(new HaProxyTls(false), new HaProxyTls(true)), contenders, notices);
      comparisons.add(
          new SideBySide(
              "TLS between two",
              contenders,
              List.of(
                  new Trial.Bulk(1),
                  new Trial.Bulk(8),
                  new Trial.Latency(),
                  new Trial.Connections())));
    }
    return comparisons;
  }

  private List<Trial> trials(Set<Part> parts) {
    List<Trial> trials = new ArrayList<>();
    for (Part part : parts) {
      trials.addAll(
          switch (part) {
            case BULK -> List.of(new Trial.Bulk(1), new Trial.Bulk(8));
            case LATENCY -> List.of(new Trial.Latency(), new Trial.LatencyBesideBulk());
            case CONNECTIONS -> List.of(new Trial.Connections());
            case START -> List.of(new Trial.Start(false), new Trial.Start(true));
            case IDLE -> quick ? List.of(new Trial.Idle(200)) : IDLE_TRIALS;
            case CHAIN, FRAMED, TLS, ALLOCATIONS, CORES -> List.<Trial>of();
          });
    }
    return trials;
  }

  private <C extends BenchContender> void present(
      Stream<C> candidates, List<C> contenders, List<String> notices) {
    candidates
        .filter(this::wanted)
        .forEach(candidate ->
            candidate
                .missing()
                .ifPresentOrElse(
                    why -> {
                      if (!notices.contains(why)) {
                        notices.add(why);
                      }
                    },
                    () -> contenders.add(candidate)));
  }

  private boolean wanted(BenchContender contender) {
    return against.isEmpty() || against.stream().anyMatch(word -> contender.name().contains(word));
  }
}
