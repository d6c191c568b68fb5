package io.cascade.studies.coded;

import io.cascade.lab.Lab;
import io.cascade.lab.LabStatistics;
import io.cascade.lab.Topology;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.studies.experiment.Neighbour;
import io.cascade.studies.experiment.SiteSettings;
import io.cascade.studies.study.MachineLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lab in which flows share a bottleneck, with or without losses behind it:
 *
 * <pre>
 * near ══ rate, queue, delay ══ far ══ loss ══ beyond
 * </pre>
 *
 * The measured flow is sent from near to beyond. A TCP flow beside it, and pings, are sent to far.
 */
final class CodedLab implements AutoCloseable {
  private static final String NEAR = "near";
  private static final String FAR = "far";
  private static final String BEYOND = "beyond";
  private static final int LEAST_QUEUE_BYTES = 3_000;
  private static final int PACKET_BYTES = 1_500;
  private static final Duration HEAD_START = Duration.ofSeconds(3);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration WARM_UP = Duration.ofSeconds(8);
  private static final LabCell WARM_CELL = new LabCell(100, 20, 2, "10%", LabCell.CODED, "");

  private final Lab lab;
  private final RemotePeer source;
  private final RemotePeer sink;
  private final Consumer<String> trace;
  private long sessions;

  /** Length of a run, from the start of its flow. */
  record Length(Duration warmUp, Duration counted) {}

  private CodedLab(Lab lab, RemotePeer source, RemotePeer sink, Consumer<String> trace) {
    this.lab = lab;
    this.source = source;
    this.sink = sink;
    this.trace = trace;
  }

  /**
   * Brings a lab up, with warm processes.
   *
   * @param name of the lab; no other on this machine has it
   * @param trace receives the controller's estimates twice a second
   */
  static CodedLab up(String name, long seed, Consumer<String> trace)
      throws IOException, InterruptedException {
    Lab lab = Lab.upForThisProcess(topology(name, seed));
    try {
      CodedLab made =
          new CodedLab(lab, RemotePeer.at(lab.site(NEAR)), RemotePeer.at(lab.site(BEYOND)), trace);
      made.shape(WARM_CELL);
      RemotePeer.connect(made.source, made.sink, ++made.sessions);
      TimeUnit.NANOSECONDS.sleep(WARM_UP.toNanos());
      made.stop();
      return made;
    } catch (IOException | InterruptedException | RuntimeException e) {
      lab.close();
      throw e;
    }
  }

  private static Topology topology(String name, long seed) {
    return new Topology(
        name,
        seed,
        List.of(site(NEAR), site(FAR), site(BEYOND)),
        List.of(
            Topology.LinkSpec.symmetric(NEAR, FAR, LinkShape.of(Duration.ofMillis(10), 10_000_000)),
            Topology.LinkSpec.symmetric(FAR, BEYOND, passing(Loss.NONE))),
        null,
        List.of());
  }

  private static Topology.SiteSpec site(String name) {
    return new Topology.SiteSpec(name, "cubic", List.of());
  }

  private static LinkShape passing(Loss loss) {
    return LinkShape.of(Duration.ZERO, LinkShape.UNLIMITED).withQueueBytes(4 << 20).withLoss(loss);
  }

  private void shape(LabCell cell) {
    Duration oneWay = Duration.ofMillis(cell.roundTripMillis()).dividedBy(2);
    LinkShape back = LinkShape.of(oneWay, cell.megabits() * 1_000_000L);
    double product = cell.megabits() * 125.0 * cell.roundTripMillis();
    LinkShape there =
        back.withQueueBytes(Math.max(LEAST_QUEUE_BYTES, Math.round(cell.buffer() * product)));
    lab.link(NEAR, FAR).shape(there, back.withQueueBytes(4 << 20));
    lab.link(FAR, BEYOND).shape(passing(Loss.parse(cell.loss())));
  }

  /** Measures a cell. Failures are part of the result; only an interruption is thrown. */
  LabRun run(LabCell cell, int number, Length length) throws InterruptedException {
    try {
      shape(cell);
      String control = cell.isShared() ? cell.beside() : cell.flow();
      if (!control.equals(LabCell.CODED)) {
        SiteSettings.control(lab.site(NEAR), control);
      }
      try (Pinger pinger = Pinger.between(lab.site(NEAR), lab.site(FAR))) {
        return cell.isCoded()
            ? coded(cell, number, length, pinger)
            : tcp(cell, number, length, pinger);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      return LabRun.failed(cell, number, String.valueOf(e.getMessage()));
    }
  }

  private LabRun tcp(LabCell cell, int number, Length length, Pinger pinger) throws Exception {
    try (Neighbour beside = beside(cell);
        Neighbour flow = Neighbour.between(lab.site(NEAR), lab.site(BEYOND))) {
      TimeUnit.NANOSECONDS.sleep(length.warmUp().toNanos());
      Moment from = new Moment(lab.statistics(), PeerReport.NONE, PeerReport.NONE);
      TimeUnit.NANOSECONDS.sleep(length.counted().toNanos());
      Moment to = new Moment(lab.statistics(), PeerReport.NONE, PeerReport.NONE);
      double bits = rate(flow, from, to);
      return result(cell, number, from, to, pinger, bits, rate(beside, from, to), 0);
    }
  }

  /**
   * Starts the flow that shares the bottleneck, and waits while it has the bottleneck to itself.
   */
  private Neighbour beside(LabCell cell) throws Exception {
    if (!cell.isShared()) {
      return Neighbour.none();
    }
    Neighbour beside = Neighbour.between(lab.site(NEAR), lab.site(FAR));
    TimeUnit.NANOSECONDS.sleep(HEAD_START.toNanos());
    return beside;
  }

  private static double rate(Neighbour flow, Moment from, Moment to) {
    Double bits = flow.bitsPerSecond(from.nanos(), to.nanos());
    return bits == null ? 0 : bits;
  }

  private LabRun coded(LabCell cell, int number, Length length, Pinger pinger) throws Exception {
    try (Neighbour beside = beside(cell)) {
      RemotePeer.connect(source, sink, ++sessions);
      try {
        watch(length.warmUp(), cell, number);
        Moment from = new Moment(lab.statistics(), source.report(), sink.report());
        double competing = watch(length.counted(), cell, number);
        Moment to = new Moment(lab.statistics(), source.report(), sink.report());
        PeerReport before = from.sink();
        PeerReport after = to.sink();
        double bits = 8e9 * (after.bytes() - before.bytes()) / (after.nanos() - before.nanos());
        return result(cell, number, from, to, pinger, bits, rate(beside, from, to), competing);
      } finally {
        stop();
      }
    }
  }

  /**
   * Waits, and samples the source meanwhile. Returns the share of samples in which the source
   * competed.
   */
  private double watch(Duration time, LabCell cell, int number)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    int looks = 0;
    int competing = 0;
    while (System.nanoTime() < end) {
      TimeUnit.NANOSECONDS.sleep(Math.min(LOOK.toNanos(), Math.max(1, end - System.nanoTime())));
      PeerReport report = source.report();
      looks++;
      competing += report.mode().equals("compete") ? 1 : 0;
      trace.accept(LabRun.key(cell, number) + " " + report);
    }
    return looks == 0 ? 0 : (double) competing / looks;
  }

  private void stop() throws IOException, InterruptedException {
    lab.link(FAR, BEYOND).shape(passing(Loss.NONE));
    source.stop();
    sink.stop();
    TimeUnit.NANOSECONDS.sleep(LOOK.toNanos());
  }

  /** Counters at one time. */
  private record Moment(long nanos, LabStatistics links, PeerReport source, PeerReport sink) {
    Moment(LabStatistics links, PeerReport source, PeerReport sink) {
      this(System.nanoTime(), links, source, sink);
    }

    DirectionStatistics bottleneck() {
      return links.of(NEAR, FAR);
    }

    DirectionStatistics behind() {
      return links.of(FAR, BEYOND);
    }
  }

  private static LabRun result(
      LabCell cell,
      int number,
      Moment from,
      Moment to,
      Pinger pinger,
      double bits,
      double beside,
      double competing) {
    double seconds = to.links().seconds() - from.links().seconds();
    double carried = to.bottleneck().forwardedBytes() - from.bottleneck().forwardedBytes();
    double own = to.behind().takenBytes() - from.behind().takenBytes();
    double taken = to.bottleneck().takenPackets() - from.bottleneck().takenPackets();
    double dropped = to.bottleneck().droppedPackets() - from.bottleneck().droppedPackets();
    long overflowed =
        to.bottleneck().overflowedPackets()
            - from.bottleneck().overflowedPackets()
            + to.behind().overflowedPackets()
            - from.behind().overflowedPackets();
    Pinger.RoundTrips pings = pinger.between(from.nanos(), to.nanos());
    double gibibytes = bits * seconds / 8 / (1 << 30);
    PeerReport source = to.source();
    PeerReport sink = to.sink();
    PeerReport sourceBefore = from.source();
    PeerReport sinkBefore = from.sink();
    return new LabRun(
        cell,
        number,
        seconds,
        bits,
        beside,
        own / Math.max(1, carried),
        8 * carried / seconds / 1e6 / cell.megabits(),
        1e3 * pings.meanSeconds() / cell.roundTripMillis(),
        1e3 * pings.highSeconds() / cell.roundTripMillis(),
        dropped / Math.max(1, taken),
        overflowed,
        (source.cpuNanos() - sourceBefore.cpuNanos()) / 1e9 / gibibytes,
        (sink.cpuNanos() - sinkBefore.cpuNanos()) / 1e9 / gibibytes,
        (double) (source.repairs() - sourceBefore.repairs())
            / Math.max(1, source.sources() - sourceBefore.sources()),
        source.lossRate(),
        source.baseLoss(),
        source.capacity() * 8 * PACKET_BYTES / 1e6,
        competing,
        MachineLoad.oneMinute(),
        failure(source, sink, overflowed));
  }

  private static @Nullable String failure(PeerReport source, PeerReport sink, long overflowed) {
    if (sink.wrong()) {
      return "a wrong byte";
    }
    if (!source.closed().isEmpty() || !sink.closed().isEmpty()) {
      return "the session ended: " + source.closed() + " " + sink.closed();
    }
    return overflowed > 0 ? "the emulator could not keep up" : null;
  }

  @Override
  public void close() {
    try {
      source.close();
      sink.close();
    } catch (IOException e) {
      // The processes end with the lab.
    } finally {
      lab.close();
    }
  }
}
