package io.cascade.studies.bench;

import io.cascade.command.CommandException;
import io.cascade.studies.bench.BenchContender.Running;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Measures comparisons. In every round of a trial each contender is measured once, and each round
 * starts with another contender, so that disturbances of the machine affect all of them alike.
 */
final class BenchRun {
  /** Descriptors that a process needs beyond two for each of its streams. */
  private static final int SPARE_DESCRIPTORS = 300;

  private final ProxyProcesses proxies;
  private final Destination destination;
  private final int rounds;
  private final double seconds;
  private final WarmUp warmUp;
  private final Progress progress;
  private final RoundValues results = new RoundValues();
  private final List<String> notices = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  /**
   * @param seconds of each measurement
   */
  BenchRun(
      ProxyProcesses proxies,
      Destination destination,
      int rounds,
      double seconds,
      Progress progress) {
    this.proxies = proxies;
    this.destination = destination;
    this.rounds = rounds;
    this.seconds = seconds;
    this.warmUp = new WarmUp(destination, rounds, seconds);
    this.progress = progress;
  }

  RoundValues results() {
    return results;
  }

  /** Contenders that were not measured, and the reasons. */
  List<String> notices() {
    return notices;
  }

  /** Failures: bytes lost or changed, streams broken. */
  List<String> failures() {
    return failures;
  }

  /** Number of measurements of a run. */
  static int steps(List<SideBySide> comparisons, int rounds) {
    return comparisons.stream()
        .mapToInt(one -> one.contenders().size() * one.trials().size() * rounds)
        .sum();
  }

  void run(SideBySide comparison) throws IOException, InterruptedException {
    List<Trial> lasting = comparison.trials().stream().filter(t -> !t.startsAnew()).toList();
    if (!lasting.isEmpty()) {
      Map<BenchContender, Running> running = new LinkedHashMap<>();
      try {
        for (BenchContender contender : comparison.contenders()) {
          running.put(contender, contender.start(proxies, destination.port()));
        }
        for (Map.Entry<BenchContender, Running> one : running.entrySet()) {
          warmUp(one.getKey(), one.getValue(), lasting);
        }
        for (Trial trial : lasting) {
          run(comparison, trial, contender -> Optional.ofNullable(running.get(contender)));
        }
      } finally {
        running.values().forEach(one -> one.stop(proxies));
      }
    }
    for (Trial trial : comparison.trials()) {
      if (trial.startsAnew()) {
        run(comparison, trial, _ -> Optional.empty());
      }
    }
  }

  private void warmUp(BenchContender contender, Running running, List<Trial> trials)
      throws InterruptedException {
    progress.says("warming up and checking " + contender.name());
    try {
      warmUp.run(running, trials);
    } catch (IOException e) {
      failures.add(contender.name() + ", warming up: " + e.getMessage());
    }
  }

  private void run(SideBySide comparison, Trial trial, Lookup lookup)
      throws IOException, InterruptedException {
    Optional<String> lackingHere =
        lacking(trial, ProcessTree.descriptorLimit(ProcessHandle.current().pid()));
    if (lackingHere.isPresent()) {
      notices.add(comparison.title(trial) + ": " + lackingHere.get());
      return;
    }
    List<BenchContender> left = new ArrayList<>(comparison.contenders());
    left.removeIf(contender -> {
      Optional<String> why = contender.sitsOut(trial);
      why.ifPresent(text -> notices.add(comparison.title(trial) + ": " + text));
      return why.isPresent();
    });
    for (int round = 0; round < rounds; round++) {
      for (BenchContender contender : inTurn(left, round)) {
        progress.step(comparison.title(trial));
        Optional<Running> lasting = lookup.find(contender);
        Running running = lasting.isPresent() ? lasting.get() : startAnew(contender, trial);
        try {
          Optional<String> why =
              running.isDirect()
                  ? Optional.empty()
                  : lacking(trial, running.tree().descriptorLimit());
          if (why.isPresent()) {
            notices.add(comparison.title(trial) + ", " + contender.name() + ": " + why.get());
            left.remove(contender);
          } else {
            results.add(
                comparison.title(trial),
                contender.name(),
                trial.run(running, destination, seconds));
          }
        } catch (IOException e) {
          failures.add(
              "%s, %s, round %d: %s"
                  .formatted(comparison.title(trial), contender.name(), round + 1, e.getMessage()));
          left.remove(contender);
          if (!running.processes().stream().allMatch(Process::isAlive)) {
            throw new CommandException(
                contender.name() + " ended in the middle of a measurement", e);
          }
        } finally {
          if (lasting.isEmpty()) {
            running.stop(proxies);
          }
        }
      }
    }
  }

  private Running startAnew(BenchContender contender, Trial trial)
      throws IOException, InterruptedException {
    ProxyProcesses in = trial.runsEverywhere() ? proxies.everywhere() : proxies;
    long begun = System.nanoTime();
    Running running = contender.start(in, destination.port());
    return running.startedWithin((System.nanoTime() - begun) / 1e9);
  }

  private static Optional<String> lacking(Trial trial, long allowed) throws IOException {
    if (!(trial instanceof Trial.Idle idle)) {
      return Optional.empty();
    }
    long needed = 2L * idle.streams() + SPARE_DESCRIPTORS;
    if (allowed < needed) {
      return Optional.of(
          "needs " + needed + " descriptors of " + allowed + ": ulimit -n " + needed);
    }
    // Every proxy connects from one address to one other address.
    long ports = localPorts();
    return ports >= idle.streams()
        ? Optional.empty()
        : Optional.of(
            "needs "
                + idle.streams()
                + " local ports of "
                + ports
                + ": sysctl net.ipv4.ip_local_port_range='1024 65535'");
  }

  private static long localPorts() throws IOException {
    // Read at once: the kernel answers a second read of such a file with end of file.
    try (BufferedReader file =
        Files.newBufferedReader(Path.of("/proc/sys/net/ipv4/ip_local_port_range"))) {
      String[] range = Objects.requireNonNullElse(file.readLine(), "0 -1").split("\\s+", -1);
      return Long.parseLong(range[1]) - Long.parseLong(range[0]) + 1;
    }
  }

  /** All contenders, in each round with another one first. */
  private static List<BenchContender> inTurn(List<BenchContender> contenders, int round) {
    List<BenchContender> turn = new ArrayList<>(contenders);
    if (!turn.isEmpty()) {
      java.util.Collections.rotate(turn, -(round % turn.size()));
    }
    return turn;
  }

  private interface Lookup {
    Optional<Running> find(BenchContender contender);
  }
}
