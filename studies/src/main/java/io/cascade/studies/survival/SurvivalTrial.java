package io.cascade.studies.survival;

import io.cascade.client.forward.StreamReport;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.soak.Cluster;
import io.cascade.lab.soak.ForwardedLine;
import io.cascade.segments.Scheduler;
import io.cascade.segments.SegmentStream;
import io.cascade.studies.study.MachineLoad;
import io.cascade.studies.study.Workplace;
import io.cascade.studies.survival.Survivor.Carrier;
import io.cascade.studies.survival.Survivor.Fault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Measures streams while relays fail.
 *
 * @param rounds number of faults of each kind at each relay
 * @param err receives the length of each stall
 */
record SurvivalTrial(Workplace work, int rounds, PrintWriter err) {
  private static final int RELAYS = 4;
  private static final Duration PAUSE = Duration.ofSeconds(3);
  private static final Duration DRAIN = Duration.ofSeconds(10);
  private static final Duration CALM = Duration.ofSeconds(2);
  private static final int BUFFER = 8 << 20;

  Survivor run(Carrier carrier) throws Exception {
    double load = MachineLoad.oneMinute();
    try (LocalCluster parts =
            new LocalCluster(
                work.command(), Files.createDirectory(work.path().resolve(carrier.name())));
        SteadyStream stream = new SteadyStream()) {
      Cluster cluster = Cluster.start(parts, RELAYS, DRAIN);
      return switch (carrier) {
        case PIPES -> overPipes(cluster, stream, load);
        case FORWARD -> forwarded(cluster, stream, load);
      };
    }
  }

  /** A stream of an unmodified client, which relays split and reassemble. */
  private Survivor overPipes(Cluster cluster, SteadyStream stream, double load)
      throws IOException, InterruptedException {
    Cluster.Line line =
        cluster.openPipes("two pipes", List.of(List.of(0, 1, 3), List.of(0, 2, 3)), stream.port());
    stream.start(line.way());
    Map<Fault, List<Double>> gaps = gaps(cluster, cluster.relays().subList(1, 3), stream);
    boolean whole = stream.finish();
    long lost = cluster.relays().getFirst().pipesLost(line.id());
    return new Survivor(Carrier.PIPES, rounds, load, gaps, stream.octets(), whole, lost);
  }

  /** A stream whose junctions are in this process. */
  private Survivor forwarded(Cluster cluster, SteadyStream stream, double load) throws Exception {
    SegmentStream.Settings settings =
        new SegmentStream.Settings(BUFFER, Duration.ofMinutes(1).toNanos(), Scheduler.EARLIEST);
    List<ForwardedLine.Route> routes =
        List.of(
            new ForwardedLine.Route("chain 1", List.of(0, 1)),
            new ForwardedLine.Route("chain 2", List.of(2, 3)));
    BlockingQueue<StreamReport> ends = new LinkedBlockingQueue<>();
    try (ForwardedLine forward =
        ForwardedLine.open(cluster, stream.port(), settings, 1, routes, ends::add)) {
      stream.start(forward.line().way());
      Map<Fault, List<Double>> gaps = gaps(cluster, cluster.relays(), stream);
      boolean whole = stream.finish();
      long lost = ends.take().pipesLost();
      return new Survivor(Carrier.FORWARD, rounds, load, gaps, stream.octets(), whole, lost);
    }
  }

  /**
   * @param victims relays that fail, in turn; at the end one of them fails permanently
   */
  private Map<Fault, List<Double>> gaps(
      Cluster cluster, List<Cluster.Relay> victims, SteadyStream stream)
      throws IOException, InterruptedException {
    Map<Fault, List<Double>> gaps = new EnumMap<>(Fault.class);
    boolean cuts = PortCut.isPossible();
    for (int round = 1; round <= rounds; round++) {
      for (Cluster.Relay relay : victims) {
        calm(stream);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        note(gaps, Fault.NONE, relay, stream);
        cluster.killAndRestart(relay);
        note(gaps, Fault.KILLED, relay, stream);
        calm(stream);
        Cluster.pause(relay, PAUSE);
        cluster.awaitReady();
        note(gaps, Fault.PAUSED, relay, stream);
        calm(stream);
        if (cuts) {
          try (PortCut _ = PortCut.of(relay.hopPort())) {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
          }
          cluster.awaitReady();
          note(gaps, Fault.CUT_OFF, relay, stream);
          calm(stream);
        }
        cluster.drain(relay, true);
        TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        cluster.drain(relay, false);
        note(gaps, Fault.DRAINED, relay, stream);
        calm(stream);
        cluster.stopAndRestart(relay);
        note(gaps, Fault.STOPPED, relay, stream);
      }
    }
    for (int round = 0; round < rounds; round++) {
      calm(stream);
      cluster.killOrchestrator();
      for (Cluster.Relay relay : victims) {
        calm(stream);
        Cluster.pause(relay, PAUSE);
        note(gaps, Fault.PAUSED_ALONE, relay, stream);
      }
      calm(stream);
      Cluster.Relay killed = victims.get(round % victims.size());
      killed.kill();
      TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
      note(gaps, Fault.KILLED_ALONE, killed, stream);
      if (round + 1 < rounds) {
        cluster.restartOrchestrator();
        cluster.killAndRestart(killed);
      }
    }
    return gaps;
  }

  /** Waits until both pipes carry again, and resets the measured gaps. */
  private static void calm(SteadyStream stream) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(CALM.toNanos());
    double _ = stream.longestGapMillis();
  }

  private void note(
      Map<Fault, List<Double>> gaps, Fault fault, Cluster.Relay relay, SteadyStream stream) {
    double gap = stream.longestGapMillis();
    gaps.computeIfAbsent(fault, _ -> new ArrayList<>()).add(gap);
    err.printf("%s, %s: stood still for %.0f ms at most%n", relay.name(), fault.words(), gap);
    err.flush();
  }
}
