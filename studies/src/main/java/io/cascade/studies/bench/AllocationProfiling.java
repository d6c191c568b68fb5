package io.cascade.studies.bench;

import io.cascade.lab.process.CascadeCommand;
import io.cascade.studies.bench.BenchContender.Running;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/**
 * Records what warm relays allocate while they forward. These relays are not the measured ones,
 * because a recorder uses processor time and allocates as well.
 *
 * @param seconds of each recording
 * @param failures receives a message for each recording that failed
 */
record AllocationProfiling(
    ProxyProcesses proxies,
    Destination destination,
    WarmUp warmUp,
    double seconds,
    Progress progress,
    List<String> failures) {
  private static final double GIB = 1L << 30;

  /** Records bulk by copying and by splicing, and short connections. */
  List<AllocationProfile> run(CascadeCommand cascade) throws InterruptedException {
    List<AllocationProfile> profiles = new ArrayList<>();
    for (String pump : List.of(CascadeRelays.COPY, CascadeRelays.SPLICE)) {
      profile(relay(pump, cascade), new Trial.Bulk(1), this::bulk, profiles);
    }
    profile(
        relay(CascadeRelays.AUTO, cascade), new Trial.Connections(), this::connections, profiles);
    return profiles;
  }

  private static BenchContender relay(String pump, CascadeCommand cascade) {
    return new CascadeRelays(1, pump, cascade).withJavaOptions(AllocationRecording.JAVA_OPTIONS);
  }

  private void profile(
      BenchContender relay, Trial trial, Recorded recorded, List<AllocationProfile> profiles)
      throws InterruptedException {
    progress.says("recording what " + relay.name() + " allocates: " + trial.title());
    try {
      Running running = relay.start(proxies, destination.port());
      try {
        warmUp.run(running, List.of(trial));
        Path file = proxies.newFolder("recording").resolve("allocations.jfr");
        Work work = recorded.record(running, file);
        AllocationSites sites = AllocationSites.read(file, work.from(), work.to());
        profiles.add(
            AllocationProfile.of(trial.title(), relay.name(), work.unit(), work.units(), sites));
      } finally {
        running.stop(proxies);
      }
    } catch (IOException e) {
      failures.add(
          "allocations, %s, %s: %s".formatted(trial.title(), relay.name(), e.getMessage()));
    }
  }

  private Work bulk(Running running, Path file) throws IOException, InterruptedException {
    try (BulkLoad load = BulkLoad.start(running.port(), 1)) {
      Work work = record(running, file, "GiB", () -> destination.countedBytes() / GIB);
      load.finish();
      return work;
    }
  }

  private Work connections(Running running, Path file) throws IOException, InterruptedException {
    try (ShortConnections load = ShortConnections.start(running.port())) {
      Work work = record(running, file, "connection", load::completed);
      load.finish();
      return work;
    }
  }

  /** Records a relay while a load is running. */
  private Work record(Running running, Path file, String unit, DoubleSupplier done)
      throws IOException, InterruptedException {
    AllocationRecording recording = AllocationRecording.start(running.processes().getFirst().pid());
    Instant from = Instant.now();
    long start = System.nanoTime();
    double before = done.getAsDouble();
    double units;
    double took;
    do { // repeated if a freshly recorded relay takes longer for its first unit
      Thread.sleep((long) (seconds * 1e3));
      units = done.getAsDouble() - before;
      took = (System.nanoTime() - start) / 1e9;
    } while (units <= 0 && took < TcpSocket.PATIENCE_SECONDS);
    Instant to = Instant.now();
    recording.stop(file);
    if (units <= 0) {
      throw new IOException("nothing was forwarded in " + took + " s");
    }
    return new Work(unit, units, from, to);
  }

  /** A load that runs while a relay is recorded to a file. */
  private interface Recorded {
    Work record(Running running, Path file) throws IOException, InterruptedException;
  }

  /** Amount that was forwarded between two moments. */
  private record Work(String unit, double units, Instant from, Instant to) {}
}
