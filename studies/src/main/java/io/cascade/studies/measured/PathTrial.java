package io.cascade.studies.measured;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.api.client.ProblemException;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Plan;
import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.MeasuredRelays;
import io.cascade.lab.process.RandomFile;
import io.cascade.studies.measured.EmulatedPath.Ends;
import io.cascade.studies.measured.PathResult.Planned;
import io.cascade.studies.study.LoadGate;
import io.cascade.studies.study.MachineLoad;
import io.cascade.studies.study.Measurement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures one path in a new lab with a new orchestrator and new relays: waits for the relays'
 * measurements, makes a plan, and then sends the same file over every fixed way and over {@code
 * send}'s own choice, in turns.
 */
final class PathTrial {
  private static final int PORT = 9_000;
  private static final Duration PROBED = Duration.ofSeconds(12);
  private static final Duration TESTED = Duration.ofSeconds(10);
  private static final Duration PLANNED = Duration.ofMinutes(2);
  private static final Duration SENT = Duration.ofMinutes(4);
  private static final String STALL_SECONDS = "60";
  private static final int MOST_WAYS = 3;

  /** Links that a plan's throughput tests fill at the same time. */
  private static final int LINKS_TESTED = 2;

  private final EmulatedPath path;
  private final int repetitions;
  private final LoadGate gate;
  private final PathNetwork network;
  private final long bytes;
  private final List<PathResult.Transfer> transfers = new ArrayList<>();

  PathTrial(EmulatedPath path, int repetitions, LoadGate gate) {
    this.path = path;
    this.repetitions = repetitions;
    this.gate = gate;
    this.network = new PathNetwork(path);
    this.bytes = network.bytes();
  }

  /** The fields of the document of {@code send} that are used here. */
  record Sent(
      String route,
      List<String> relays,
      String why,
      double seconds,
      double totalSeconds,
      @Nullable Double predictedSecondsLow,
      @Nullable Double predictedSeconds,
      @Nullable Double predictedSecondsHigh,
      @Nullable Share direct,
      @Nullable Share relayed) {}

  /** Bytes that one of two ways carried. */
  record Share(long bytes) {}

  /**
   * Brings the lab up, measures, and takes the lab down.
   *
   * @param lab name of the lab
   */
  PathResult run(String lab) throws InterruptedException {
    String at = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    long start = System.nanoTime();
    Planned early = null;
    Planned planned = null;
    double upSeconds = 0;
    String failure = null;
    try (Lab up = started(lab)) {
      upSeconds = (System.nanoTime() - start) / 1e9;
      Path file = up.folder().resolve("random.bin");
      RandomFile.write(file, bytes, path.seed());
      KeptReceiver.start(up, PathNetwork.SERVER, PORT);
      new MeasuredRelays(new OrchestratorClient(up.dashboard().orElseThrow(), up.token()))
          .await(path.relays().size() + (path.ends() == Ends.RELAYS ? 2 : 0));
      TimeUnit.NANOSECONDS.sleep(PROBED.toNanos());
      early = plan(up, List.of());
      TimeUnit.NANOSECONDS.sleep(TESTED.toNanos());
      // A relay on the client's host tests the client's paths; a bare host tests them itself.
      planned = plan(up, path.ends() == Ends.BARE ? List.of("--test") : List.of());
      transfer(up, file, ways(planned));
      if (transfers.stream().allMatch(PathTrial::isOwnChoiceOrFailed)) {
        failure = "no transfer over a fixed way came through";
      }
    } catch (ProblemException | UnreachableException e) {
      failure = "the orchestrator: " + e;
    } catch (CommandException | IOException e) {
      failure = Measurement.why(e);
    }
    return new PathResult(
        path,
        at,
        bytes,
        repetitions,
        upSeconds,
        early,
        planned,
        network.expectedBest(bytes).name(),
        expected(planned),
        transfers,
        failure);
  }

  private Lab started(String name) throws InterruptedException {
    // Starting virtual machines take processor time from transfers measured beside them.
    try (LoadGate.Pass pass = gate.enter(LoadGate.OF_ONE_PROCESSOR)) {
      return Lab.upForThisProcess(network.topology(name));
    }
  }

  /** The result of a path whose measurement failed with an exception. */
  static PathResult failed(EmulatedPath path, int repetitions, Exception error) {
    PathNetwork network = new PathNetwork(path);
    StackTraceElement[] stack = error.getStackTrace();
    return new PathResult(
        path,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        network.bytes(),
        repetitions,
        0,
        null,
        null,
        "",
        List.of(),
        List.of(),
        error + (stack.length == 0 ? "" : " at " + stack[0]));
  }

  private static boolean isOwnChoiceOrFailed(PathResult.Transfer transfer) {
    return transfer.way().equals(PathResult.OWN_CHOICE) || transfer.failure() != null;
  }

  private List<PathResult.Expected> expected(@Nullable Planned planned) {
    List<Way> all = new ArrayList<>(List.of(Way.DIRECT));
    if (planned != null) {
      all.addAll(ways(planned));
    }
    return all.stream()
        .map(way -> new PathResult.Expected(way.name(), network.expectedBitsPerSecond(way, bytes)))
        .toList();
  }

  /**
   * Number of connections by which the client measures each of its own ways, as stated in the
   * report.
   */
  private static final String PROBES = "50";

  private Planned plan(Lab lab, List<String> options) throws InterruptedException {
    List<String> verb =
        new ArrayList<>(
            List.of(
                "plan",
                "--json",
                "--to",
                destination(lab),
                "--bytes",
                Long.toString(bytes),
                "--probes",
                PROBES));
    verb.addAll(source());
    verb.addAll(options);
    try (LoadGate.Pass pass = gate.enter(LINKS_TESTED * path.megabits() * 1e6)) {
      VerbRun run = new VerbRun(lab.site(PathNetwork.CLIENT), verb, lab.folder(), "plan");
      Plan plan = run.await(Plan.class, PLANNED);
      return Planned.of(plan, run.seconds(), run.notes());
    }
  }

  /** The destination by its address, by which the plan recognises that a relay runs on its host. */
  private static String destination(Lab lab) {
    return lab.site(PathNetwork.SERVER).address() + ":" + PORT;
  }

  /** The option that has the relay on the client's host, if any, measure for the client. */
  private List<String> source() {
    return path.ends() == Ends.RELAYS ? List.of("--from", PathNetwork.NEAR_RELAY) : List.of();
  }

  /**
   * Ways to measure: the plan's best, the one that the model prefers from all link parameters, all
   * relays, and single relays.
   */
  private List<Way> ways(Planned planned) {
    Set<Way> ways = new LinkedHashSet<>();
    if (!planned.relays().isEmpty()) {
      ways.add(new Way(planned.relays()));
    }
    ways.add(network.expectedBest(bytes));
    ways.add(new Way(path.relays()));
    path.relays().forEach(relay -> ways.add(new Way(List.of(relay))));
    return ways.stream().limit(MOST_WAYS).toList();
  }

  private void transfer(Lab lab, Path file, List<Way> ways) throws InterruptedException {
    for (int repetition = 0; repetition < repetitions; repetition++) {
      List<@Nullable Way> order = new ArrayList<>();
      order.add(Way.DIRECT);
      // A send knows only the plan and the measurements of the direct way, so it runs before
      // transfers through relays.
      order.add(path.number() % 2, null);
      order.addAll(ways);
      // Alternating order, so that no way is always first and drift affects all ways alike.
      for (@Nullable Way way : repetition % 2 == 0 ? order : order.reversed()) {
        transfers.add(send(lab, file, way, repetition));
      }
    }
  }

  /**
   * @param way null for {@code send}'s own choice
   */
  private PathResult.Transfer send(Lab lab, Path file, @Nullable Way way, int repetition)
      throws InterruptedException {
    List<String> options = new ArrayList<>(List.of("--json", "--stall-timeout", STALL_SECONDS));
    options.addAll(way == null ? source() : way.options());
    String name = way == null ? PathResult.OWN_CHOICE : way.name();
    try (LoadGate.Pass pass = gate.alone()) {
      double load = MachineLoad.oneMinute();
      VerbRun run = VerbRun.send(lab, PathNetwork.CLIENT, file, destination(lab), options);
      try {
        return transfer(name, repetition, load, run.await(Sent.class, SENT), run.notes());
      } catch (CommandException e) {
        return failed(name, repetition, load, run.notes(), String.valueOf(e.getMessage()));
      }
    }
  }

  private static PathResult.Transfer transfer(
      String way, int repetition, double load, Sent sent, List<PathResult.Note> notes) {
    return new PathResult.Transfer(
        way,
        repetition,
        load,
        sent.seconds(),
        sent.totalSeconds(),
        sent.route(),
        sent.relays(),
        sent.why(),
        sent.direct() == null ? null : (Long) sent.direct().bytes(),
        sent.relayed() == null ? null : (Long) sent.relayed().bytes(),
        sent.predictedSecondsLow(),
        sent.predictedSeconds(),
        sent.predictedSecondsHigh(),
        way.equals(PathResult.OWN_CHOICE) ? notes : List.of(),
        null);
  }

  private static PathResult.Transfer failed(
      String way, int repetition, double load, List<PathResult.Note> notes, String failure) {
    return new PathResult.Transfer(
        way,
        repetition,
        load,
        null,
        null,
        null,
        List.of(),
        null,
        null,
        null,
        null,
        null,
        null,
        notes,
        failure);
  }
}
