package io.cascade.studies.splitting;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.LabStatistics;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.links.DirectionStatistics;
import io.cascade.links.LinkShape;
import io.cascade.packets.processing.ProcessorCounts;
import io.cascade.packets.scap.ScapCounts;
import io.cascade.studies.experiment.KernelCounts;
import io.cascade.studies.experiment.SiteSettings;
import io.cascade.studies.study.MachineLoad;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The network of the source's chapter 6 as a lab: a sender, a router that splits, up to three paths
 * with gateway links of 1.544 Mbit/s, a router that combines, a receiver.
 *
 * <pre>
 *                     ┌─ 1.544 Mbit/s, 5 ms ─ path1 ─ 10 Mbit/s, D1 ─┐
 *  sender ─ 5 ms ─ split                    path2                combine ─ 5 ms ─ receiver
 *                     └─ 1.544 Mbit/s, 5 ms ─ path3 ─ 10 Mbit/s, D3 ─┘
 * </pre>
 *
 * Acknowledgments return by path 1. So the round trip of path 1, with D1 = 10 ms, is 30 ms + 10 ms,
 * and that of another path is longer by the difference between its delay D and D1.
 */
final class SplitNetwork implements AutoCloseable {
  static final int MOST_PIPES = 3;

  /** Rate of the source's links, in IP packets; queues of NCTUns hold 50 packets. */
  static final long GATEWAY_BITS_PER_SECOND = 1_544_000;

  static final int QUEUE_BYTES = 50 * 1_500;

  private static final long PATH_BITS_PER_SECOND = 10_000_000;
  private static final int FIRST_DELAY_MILLIS = 10;
  private static final int LOCAL_DELAY_MILLIS = 5;

  /** Round trip from the splitting router over path 1 to the receiver and back. */
  private static final int FIRST_ROUND_TRIP_MILLIS = 40 - 2 * LOCAL_DELAY_MILLIS;

  /** Port of the datagrams of path 1, at both ends. */
  private static final int FIRST_PORT = 7710;

  /** Buffers of the source's Table 6.2. */
  private static final String BUFFERS = "4096 524288 5242880";

  private static final int DEATH_DIFFERENCE_MILLIS = 40;
  private static final double BEFORE_DEATH_SECONDS = 12;
  private static final double LOOKED_AT_SECONDS = 5;
  private static final double SETTLE_SECONDS = 3;
  private static final double AFTER_DEATH_SECONDS = 10;

  private final Lab lab;

  private SplitNetwork(Lab lab) {
    this.lab = lab;
  }

  /** Creates the network; its name is unique on the machine. */
  static SplitNetwork up(String name) throws Exception {
    SplitNetwork network = new SplitNetwork(Lab.upForThisProcess(topology(name)));
    try {
      for (String end : List.of("sender", "receiver")) {
        SiteSettings.set(network.lab.site(end), "ipv4/tcp_rmem", BUFFERS);
        SiteSettings.set(network.lab.site(end), "ipv4/tcp_wmem", BUFFERS);
      }
    } catch (Exception e) {
      network.close();
      throw e;
    }
    return network;
  }

  private static Topology topology(String name) {
    List<Topology.SiteSpec> sites = new ArrayList<>();
    List<Topology.LinkSpec> links = new ArrayList<>();
    for (String site : List.of("sender", "split", "combine", "receiver")) {
      sites.add(new Topology.SiteSpec(site, "reno", List.of()));
    }
    LinkShape local = link(LOCAL_DELAY_MILLIS, LinkShape.UNLIMITED, 4 << 20);
    links.add(Topology.LinkSpec.symmetric("sender", "split", local));
    links.add(Topology.LinkSpec.symmetric("combine", "receiver", local));
    for (int pipe = 0; pipe < MOST_PIPES; pipe++) {
      sites.add(new Topology.SiteSpec(path(pipe), "reno", List.of()));
      LinkShape gateway = link(LOCAL_DELAY_MILLIS, GATEWAY_BITS_PER_SECOND, QUEUE_BYTES);
      links.add(Topology.LinkSpec.symmetric("split", path(pipe), gateway));
      // Path 1 is the fastest, so the routes of the kernels use it.
      LinkShape path = link(FIRST_DELAY_MILLIS + pipe, PATH_BITS_PER_SECOND, 4 << 20);
      links.add(Topology.LinkSpec.symmetric(path(pipe), "combine", path));
    }
    return new Topology(name, 1, sites, links, null, List.of());
  }

  private static LinkShape link(int delayMillis, long bitsPerSecond, int queueBytes) {
    return LinkShape.of(Duration.ofMillis(delayMillis), bitsPerSecond).withQueueBytes(queueBytes);
  }

  private static String path(int pipe) {
    return "path" + (pipe + 1);
  }

  /** Measures a cell once, after a warm-up. */
  SplitRun run(SplitCell cell, int repetition, double warmUpSeconds, double seconds)
      throws Exception {
    prepare(cell);
    List<ScapProcess> scaps = scaps(cell);
    try {
      long before = drops(cell.pipes());
      KernelCounts sent = KernelCounts.at(lab.site("sender"));
      double bitsPerSecond = transfer(warmUpSeconds, seconds);
      KernelCounts kernel = KernelCounts.at(lab.site("sender")).minus(sent);
      long after = drops(cell.pipes());
      List<ScapCounts> counts = scaps.stream().map(ScapProcess::stop).toList();
      return new SplitRun(
          cell,
          repetition,
          seconds,
          bitsPerSecond,
          processor(counts, 0),
          processor(counts, 1),
          after - before,
          kernel,
          MachineLoad.oneMinute(),
          null);
    } finally {
      scaps.forEach(ScapProcess::close);
    }
  }

  /** Has a pipe fail while a connection sends over two. The network cannot be used afterwards. */
  DeathRun death(SplitWay way, int pipe, DeathRun.Kind kind, int repetition) throws Exception {
    SplitCell cell =
        new SplitCell(2, DEATH_DIFFERENCE_MILLIS, way, SplitCell.FEW_SENDERS.getFirst());
    prepare(cell);
    List<ScapProcess> scaps = scaps(cell);
    Site receiver = lab.site("receiver");
    try (TrafficSink sink = TrafficSink.at(receiver, 1);
        Sender sender =
            Sender.connect(
                lab.site("sender"), new InetSocketAddress(receiver.address(), sink.port()), 1)) {
      sender.send(Long.MAX_VALUE);
      Thread.sleep(millis(BEFORE_DEATH_SECONDS));
      KernelCounts before = KernelCounts.at(lab.site("sender"));
      long died = System.nanoTime();
      kill(path(pipe - 1), kind);
      Thread.sleep(millis(SETTLE_SECONDS));
      long settled = System.nanoTime();
      Thread.sleep(millis(AFTER_DEATH_SECONDS));
      long end = System.nanoTime();
      KernelCounts during = KernelCounts.at(lab.site("sender")).minus(before);
      return new DeathRun(
          way,
          pipe,
          kind,
          repetition,
          sink.bitsPerSecond(died - Math.round(LOOKED_AT_SECONDS * 1e9), died),
          sink.bitsPerSecond(settled, end),
          during.timeouts(),
          MachineLoad.oneMinute());
    } finally {
      scaps.forEach(ScapProcess::close);
    }
  }

  private void kill(String path, DeathRun.Kind kind) throws Exception {
    switch (kind) {
      case PATH_CUT ->
          lab.link(path, "combine")
              .shape(link(FIRST_DELAY_MILLIS, PATH_BITS_PER_SECOND, 4 << 20).withDown(true));
      case DEVICE_DOWN -> {
        Site.Ran ran = lab.site("split").run("ip", "link", "set", "to-" + path, "down");
        if (ran.exitCode() != 0) {
          throw new CommandException("ip: " + ran.err());
        }
      }
    }
  }

  private static long millis(double seconds) {
    return Math.round(1_000 * seconds);
  }

  private List<ScapProcess> scaps(SplitCell cell) {
    List<ScapProcess> scaps = new ArrayList<>();
    String mode = cell.way().mode();
    if (mode == null) {
      return scaps;
    }
    try {
      Site split = lab.site("split");
      Site combine = lab.site("combine");
      String receiver = lab.site("receiver").address();
      scaps.add(
          ScapProcess.start(
              split, lab.folder(), mode, "to-sender", receiver, pipes(cell, combine)));
      if (cell.way().farToo()) {
        String sender = lab.site("sender").address();
        scaps.add(
            ScapProcess.start(
                combine, lab.folder(), mode, "to-receiver", sender, pipes(cell, split)));
      }
      return scaps;
    } catch (RuntimeException e) {
      scaps.forEach(ScapProcess::close);
      throw e;
    }
  }

  private static @Nullable ProcessorCounts processor(List<ScapCounts> counts, int index) {
    return index < counts.size() ? counts.get(index).processors() : null;
  }

  private void prepare(SplitCell cell) throws Exception {
    for (int pipe = 0; pipe < MOST_PIPES; pipe++) {
      int delay = FIRST_DELAY_MILLIS + pipe * cell.differenceMillis();
      lab.link(path(pipe), "combine").shape(link(delay, PATH_BITS_PER_SECOND, 4 << 20));
    }
    TcpSender sender = cell.sender();
    for (String end : List.of("sender", "receiver")) {
      SiteSettings.set(lab.site(end), "ipv4/tcp_sack", sender.sack() ? "1" : "0");
      SiteSettings.set(lab.site(end), "ipv4/tcp_timestamps", sender.timestamps() ? "1" : "0");
    }
    SiteSettings.control(lab.site("sender"), sender.control());
  }

  private static List<String> pipes(SplitCell cell, Site peer) {
    List<String> pipes = new ArrayList<>();
    for (int pipe = 0; pipe < cell.pipes(); pipe++) {
      int roundTrip = FIRST_ROUND_TRIP_MILLIS + pipe * cell.differenceMillis();
      pipes.add(
          cell.way().measured()
              ? "to-%s,peer=%s:%d".formatted(path(pipe), peer.address(), FIRST_PORT + pipe)
              : "to-%s,rtt=%dms,rate=%d,queue=%d"
                  .formatted(path(pipe), roundTrip, GATEWAY_BITS_PER_SECOND, QUEUE_BYTES));
    }
    return pipes;
  }

  private double transfer(double warmUpSeconds, double seconds) throws Exception {
    Site receiver = lab.site("receiver");
    try (TrafficSink sink = TrafficSink.at(receiver, 1);
        Sender sender =
            Sender.connect(
                lab.site("sender"), new InetSocketAddress(receiver.address(), sink.port()), 1)) {
      sender.send(Long.MAX_VALUE);
      long from = sender.connectedNanos() + Math.round(warmUpSeconds * 1e9);
      long to = from + Math.round(seconds * 1e9);
      if (sink.awaitEnd((to - System.nanoTime()) / 1e9)) {
        throw new CommandException("the transfer ended by itself");
      }
      return sink.bitsPerSecond(from, to);
    }
  }

  private long drops(int pipes) {
    LabStatistics statistics = lab.statistics();
    long drops = 0;
    for (int pipe = 0; pipe < pipes; pipe++) {
      DirectionStatistics gateway = statistics.of("split", path(pipe));
      drops += gateway.droppedPackets();
    }
    return drops;
  }

  @Override
  public void close() {
    lab.close();
  }
}
