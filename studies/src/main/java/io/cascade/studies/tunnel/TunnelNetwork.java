package io.cascade.studies.tunnel;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.lab.Site;
import io.cascade.lab.Topology;
import io.cascade.lab.process.CascadeProcess;
import io.cascade.lab.traffic.Sender;
import io.cascade.lab.traffic.TrafficSink;
import io.cascade.links.LinkShape;
import io.cascade.links.Loss;
import io.cascade.studies.coded.Pinger;
import io.cascade.studies.experiment.KernelCounts;
import io.cascade.studies.experiment.SiteSettings;
import io.cascade.studies.study.MachineLoad;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The source's Figure 5 as a lab, with a further pair of hosts that only ping.
 *
 * <pre>
 *  s1 … s4 ─ 1 Mbit/s, 5 ms ┐                              ┌ 1 Mbit/s, 5 ms ─ d1 … d4
 *                           gw1 ════════ gw2 ════════ gw3
 *  ping ───────────── 5 ms ─┘  3 Mbit/s, 10 ms, loss r0    └ 5 ms ───────────── pong
 * </pre>
 */
final class TunnelNetwork implements AutoCloseable {
  static final int MOST_SESSIONS = 4;
  static final int PACKET_BYTES = 1_000;
  static final int QUEUE_PACKETS = 100;

  private static final long EDGE_BITS_PER_SECOND = 1_000_000;
  private static final long MIDDLE_BITS_PER_SECOND = 3_000_000;
  private static final Duration EDGE_DELAY = Duration.ofMillis(5);
  private static final Duration MIDDLE_DELAY = Duration.ofMillis(10);
  private static final double IDLE_SECONDS = 2.5;
  private static final double CONNECT_SECONDS = 30;
  private static final double RESTART_LOSS = 0.1;
  private static final long STEADY_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 10;
  private static final long SETTLE_MILLIS = 1_000;

  /** Round trip of a ping without serialisation and queues. */
  static final double PATH_SECONDS = 0.060;

  private static final Map<String, String> NEAR_OF = Map.of("gw2", "gw1", "gw3", "gw2");
  private static final Map<String, String> FAR_OF = Map.of("gw1", "gw2", "gw2", "gw3");
  private static final String KEY = "c0".repeat(32);
  private static final Pattern READY = Pattern.compile("gateway ready");

  private final Lab lab;
  private final Path keys;

  private TunnelNetwork(Lab lab, Path keys) {
    this.lab = lab;
    this.keys = keys;
  }

  /** Creates the network; its name is unique on the machine. */
  static TunnelNetwork up(String name) throws Exception {
    Path keys = Files.createTempFile("cascade-lab", ".key");
    Files.writeString(keys, KEY); // a lab has no access from outside
    Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rw-------"));
    TunnelNetwork network = new TunnelNetwork(Lab.upForThisProcess(topology(name)), keys);
    try {
      for (int i = 1; i <= MOST_SESSIONS; i++) {
        for (String end : List.of("s" + i, "d" + i)) {
          SiteSettings.set(network.lab.site(end), "ipv4/tcp_window_scaling", "0");
        }
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
    for (String site : List.of("gw1", "gw2", "gw3", "ping", "pong")) {
      sites.add(new Topology.SiteSpec(site, "reno", List.of()));
    }
    links.add(Topology.LinkSpec.symmetric("gw1", "gw2", middle()));
    links.add(Topology.LinkSpec.symmetric("gw2", "gw3", middle()));
    LinkShape free = LinkShape.of(EDGE_DELAY, LinkShape.UNLIMITED);
    links.add(Topology.LinkSpec.symmetric("ping", "gw1", free));
    links.add(Topology.LinkSpec.symmetric("gw3", "pong", free));
    LinkShape edge =
        LinkShape.of(EDGE_DELAY, EDGE_BITS_PER_SECOND)
            .withMtu(PACKET_BYTES)
            .withQueuePackets(QUEUE_PACKETS);
    for (int i = 1; i <= MOST_SESSIONS; i++) {
      sites.add(new Topology.SiteSpec("s" + i, "reno", List.of()));
      sites.add(new Topology.SiteSpec("d" + i, "reno", List.of()));
      links.add(Topology.LinkSpec.symmetric("s" + i, "gw1", edge));
      links.add(Topology.LinkSpec.symmetric("gw3", "d" + i, edge));
    }
    return new Topology(name, 1, sites, links, null, List.of());
  }

  private static LinkShape middle() {
    return LinkShape.of(MIDDLE_DELAY, MIDDLE_BITS_PER_SECOND).withQueuePackets(QUEUE_PACKETS);
  }

  /** Measures a cell once, after a warm-up. */
  TunnelRun run(TunnelCell cell, int repetition, double warmUpSeconds, double seconds)
      throws Exception {
    lose(cell.loss());
    Map<String, CascadeProcess> gateways = gateways(cell);
    try (Pinger pinger = Pinger.between(lab.site("ping"), lab.site("pong"))) {
      for (CascadeProcess gateway : gateways.values()) {
        var _ = gateway.awaitReady();
      }
      awaitPing(pinger);
      Thread.sleep(SETTLE_MILLIS); // packets that waited for the session arrive first
      long idleFrom = System.nanoTime();
      Thread.sleep(Math.round(IDLE_SECONDS * 1_000));
      long idleTo = System.nanoTime();
      TunnelRun run = transfer(cell, repetition, warmUpSeconds, seconds, pinger, idleFrom, idleTo);
      if (!gateways.isEmpty() && run.meanBitsPerSecond() == 0) {
        throw new CommandException("nothing arrived. " + conditions(gateways));
      }
      return run;
    } finally {
      gateways.values().forEach(CascadeProcess::close);
    }
  }

  private static String conditions(Map<String, CascadeProcess> gateways) {
    StringBuilder all = new StringBuilder();
    gateways.forEach((name, gateway) ->
        all.append(name)
            .append(gateway.isAlive() ? " runs: " : " has ended: ")
            .append(gateway.tail())
            .append('\n'));
    return all.toString();
  }

  private void lose(double share) {
    LinkShape lossy = middle().withLoss(Loss.parse(percent(share)));
    lab.link("gw1", "gw2").shape(lossy, middle());
    lab.link("gw2", "gw3").shape(lossy, middle());
  }

  /** Kills a gateway of a cascaded tunnel under load and starts it again. */
  RestartRun restart(String killed, int repetition) throws Exception {
    TunnelCell cell = new TunnelCell(TunnelWay.CASCADED, 1, RESTART_LOSS);
    lose(cell.loss());
    Map<String, CascadeProcess> gateways = gateways(cell);
    Site receiver = lab.site("d1");
    try (Pinger pinger = Pinger.between(lab.site("ping"), lab.site("pong"));
        TrafficSink sink = TrafficSink.at(receiver, 1)) {
      for (CascadeProcess gateway : gateways.values()) {
        var _ = gateway.awaitReady();
      }
      awaitPing(pinger);
      InetSocketAddress to = new InetSocketAddress(receiver.address(), sink.port());
      try (Sender sender = Sender.connect(lab.site("s1"), to, 1)) {
        sender.send(Long.MAX_VALUE);
        Thread.sleep(STEADY_MILLIS);
        long killedNanos = System.nanoTime();
        Objects.requireNonNull(gateways.get(killed)).kill();
        CascadeProcess again = gateway(killed, "datagram", NEAR_OF.get(killed), FAR_OF.get(killed));
        gateways.put(killed, again);
        var _ = again.awaitReady();
        long ready = System.nanoTime();
        long bytes = sink.bytes();
        double ping = secondsUntil(() -> pinger.between(ready, Long.MAX_VALUE).meanSeconds() > 0);
        double resumed = ping + secondsUntil(() -> sink.bytes() > bytes);
        return new RestartRun(
            killed,
            repetition,
            (ready - killedNanos) / 1e9,
            ping,
            resumed,
            MachineLoad.oneMinute(),
            null);
      }
    } finally {
      gateways.values().forEach(CascadeProcess::close);
    }
  }

  private static double secondsUntil(BooleanSupplier condition) throws InterruptedException {
    long from = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - from > CONNECT_SECONDS * 1e9) {
        throw new CommandException("the tunnel does not carry again");
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return (System.nanoTime() - from) / 1e9;
  }

  private static void awaitPing(Pinger pinger) throws InterruptedException {
    long from = System.nanoTime();
    secondsUntil(() -> pinger.between(from, Long.MAX_VALUE).meanSeconds() > 0);
  }

  private TunnelRun transfer(
      TunnelCell cell,
      int repetition,
      double warmUpSeconds,
      double seconds,
      Pinger pinger,
      long idleFrom,
      long idleTo)
      throws Exception {
    List<TrafficSink> sinks = new ArrayList<>();
    List<Sender> senders = new ArrayList<>();
    try {
      for (int i = 1; i <= cell.sessions(); i++) {
        Site receiver = lab.site("d" + i);
        TrafficSink sink = TrafficSink.at(receiver, 1);
        sinks.add(sink);
        InetSocketAddress to = new InetSocketAddress(receiver.address(), sink.port());
        senders.add(Sender.connect(lab.site("s" + i), to, 1));
      }
      senders.forEach(sender -> sender.send(Long.MAX_VALUE));
      Thread.sleep(Math.round(warmUpSeconds * 1_000));
      KernelCounts before = counts(cell.sessions());
      long from = System.nanoTime();
      Thread.sleep(Math.round(seconds * 1_000));
      long to = System.nanoTime();
      KernelCounts during = counts(cell.sessions()).minus(before);
      Pinger.RoundTrips loaded = pinger.between(from, to);
      return new TunnelRun(
          cell,
          repetition,
          (to - from) / 1e9,
          sinks.stream().map(sink -> sink.bitsPerSecond(from, to)).toList(),
          pinger.between(idleFrom, idleTo).meanSeconds(),
          loaded.meanSeconds(),
          loaded.highSeconds(),
          during.segments(),
          during.retransmissions(),
          during.timeouts(),
          during.spurious(),
          MachineLoad.oneMinute(),
          null);
    } finally {
      for (Sender sender : senders) {
        sender.close();
      }
      for (TrafficSink sink : sinks) {
        sink.close();
      }
    }
  }

  private KernelCounts counts(int sessions) throws Exception {
    KernelCounts sum = new KernelCounts(0, 0, 0, 0);
    for (int i = 1; i <= sessions; i++) {
      sum = sum.plus(KernelCounts.at(lab.site("s" + i)));
    }
    return sum;
  }

  /** Starts a cell's gateways; returns them by site. */
  private Map<String, CascadeProcess> gateways(TunnelCell cell) {
    String deliveryMode = cell.way().deliveryMode();
    Map<String, CascadeProcess> started = new LinkedHashMap<>();
    if (deliveryMode == null) {
      return started;
    }
    boolean cascaded = cell.way().isCascaded();
    started.put("gw3", gateway("gw3", deliveryMode, cascaded ? "gw2" : "gw1", null));
    if (cascaded) {
      started.put("gw2", gateway("gw2", deliveryMode, "gw1", "gw3"));
    }
    started.put("gw1", gateway("gw1", deliveryMode, null, cascaded ? "gw2" : "gw3"));
    return started;
  }

  /**
   * @param accepts the gateway towards the senders, whose session it accepts; null if there is none
   * @param dials the gateway towards the receivers, to which it connects; null if there is none
   */
  private CascadeProcess gateway(
      String name, String deliveryMode, @Nullable String accepts, @Nullable String dials) {
    List<String> options = new ArrayList<>(List.of("gateway", "up"));
    options.addAll(List.of("--name", name, "--control", keys + "-" + name + ".sock"));
    options.addAll(List.of("--delivery", deliveryMode, "--mtu", String.valueOf(PACKET_BYTES)));
    options.addAll(List.of("--address", lab.site(name).address()));
    if (accepts == null || dials == null) {
      options.addAll(List.of("--tun", "tunnel0"));
    }
    if (accepts != null) {
      options.addAll(List.of("--listen", lab.site(name).address() + ":7800"));
      options.addAll(List.of("--accept", accepts + ",key=" + keys));
      routes(options, "s", "ping", accepts);
    }
    if (dials != null) {
      options.addAll(
          List.of("--dial", dials + "=" + lab.site(dials).address() + ":7800,key=" + keys));
      routes(options, "d", "pong", dials);
    }
    return CascadeProcess.start(
        name, lab.site(name).verb(options), lab.folder().resolve(name + ".log"), READY);
  }

  private void routes(List<String> options, String hosts, String pinging, String link) {
    List<String> sites = new ArrayList<>(List.of(pinging));
    for (int i = 1; i <= MOST_SESSIONS; i++) {
      sites.add(hosts + i);
    }
    for (String site : sites) {
      options.addAll(List.of("--route", lab.site(site).address() + "/32=" + link));
    }
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * share);
  }

  @Override
  public void close() {
    lab.close();
    try {
      Files.deleteIfExists(keys);
    } catch (IOException e) {
      // The system removes temporary files.
    }
  }
}
