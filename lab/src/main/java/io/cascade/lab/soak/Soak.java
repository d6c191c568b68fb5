package io.cascade.lab.soak;

import io.cascade.api.relay.RelayHealth;
import io.cascade.lab.soak.Cluster.Line;
import io.cascade.lab.soak.Cluster.Relay;
import io.cascade.lab.soak.SoakConnection.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Visitors on every chain, one after the other in several lanes, while relays are killed. After the
 * warm-up, and after each third of the rest of the run, there is a rest in which no resource may be
 * held.
 */
final class Soak {
  private static final int LANES = 12;
  private static final int IDLE_SECONDS = 5;
  private static final int SAMPLE_MILLIS = 500;
  private static final int WARM_UP_PART = 5;
  private static final Duration LONGEST_WARM_UP = Duration.ofMinutes(1);
  private static final int PARTS = 3;

  private final Cluster cluster;
  private final Host host;
  private final List<Line> lines;
  private final Plan plan;
  private final Outages outages = new Outages();
  private final Map<Outcome, LongAdder> outcomes = new EnumMap<>(Outcome.class);
  private final LongAdder explained = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final Queue<String> failures = new ConcurrentLinkedQueue<>();
  private final List<Vitals> peaks = new ArrayList<>();
  private final List<Growth.Rest> rests = new ArrayList<>();
  private final AtomicBoolean resting = new AtomicBoolean();
  private long nextKill;

  /**
   * Plan of a soak.
   *
   * @param killEvery zero for never
   * @param coded whether a line has coded hops
   */
  record Plan(Duration duration, Duration killEvery, long seed, boolean coded) {}

  /**
   * @param lines that are visited
   */
  Soak(Cluster cluster, Host host, List<Line> lines, Plan plan) {
    this.lines = List.copyOf(lines);
    this.cluster = cluster;
    this.host = host;
    this.plan = plan;
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new LongAdder());
    }
    cluster.relays().forEach(_ -> peaks.add(Vitals.NONE));
  }

  SoakReport run() throws IOException, InterruptedException {
    Duration warmUp = plan.duration().dividedBy(WARM_UP_PART);
    if (warmUp.compareTo(LONGEST_WARM_UP) > 0) {
      warmUp = LONGEST_WARM_UP;
    }
    long began = System.nanoTime();
    load(warmUp, false, new SplittableRandom(plan.seed()));
    List<Vitals> before = rest(began);
    SplittableRandom random = new SplittableRandom(plan.seed() + 1);
    Duration part = plan.duration().minus(warmUp).dividedBy(PARTS);
    nextKill = nextKill(random);
    List<Vitals> after = before;
    for (int i = 0; i < PARTS; i++) {
      load(part, true, random);
      after = rest(began);
    }
    failures.addAll(host.violations());
    return report(before, after);
  }

  private void load(Duration length, boolean killing, SplittableRandom random)
      throws IOException, InterruptedException {
    resting.set(false);
    long end = System.nanoTime() + length.toNanos();
    List<Thread> lanes = new ArrayList<>();
    for (int i = 0; i < LANES; i++) {
      SplittableRandom own = random.split();
      lanes.add(Thread.ofPlatform().name("soak-lane-" + i).start(() -> lane(own)));
    }
    try {
      while (System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
        sample();
        boolean due = killing && !plan.killEvery().isZero() && System.nanoTime() >= nextKill;
        if (due) {
          // The first relay is never killed, so that the memory of one has a long history.
          kill(1 + random.nextInt(cluster.relays().size() - 1));
          nextKill = nextKill(random);
        }
      }
    } finally {
      resting.set(true);
      for (Thread lane : lanes) {
        lane.join();
      }
    }
  }

  private long nextKill(SplittableRandom random) {
    return System.nanoTime() + (long) (plan.killEvery().toNanos() * (0.5 + random.nextDouble()));
  }

  private void lane(SplittableRandom random) {
    while (!resting.get() && !Thread.currentThread().isInterrupted()) {
      Line line = lines.get(random.nextInt(lines.size()));
      SoakConnection visitor = SoakConnection.random(random, line.conversing());
      long began = System.nanoTime();
      try {
        Outcome outcome = visitor.visit(line.way(), IDLE_SECONDS);
        judge(line, visitor, outcome, began);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (RuntimeException e) {
        failures.add(line.name() + ": " + e);
      }
    }
  }

  private void judge(Line line, SoakConnection visitor, Outcome outcome, long began) {
    outcomes.computeIfAbsent(outcome, _ -> new LongAdder()).increment();
    if (outcome == Outcome.HELD) {
      bytes.add(visitor.request().upload() + visitor.request().download());
    }
    boolean broken = outcome == Outcome.BROKEN;
    if (broken && outages.explain(line.relays(), began, System.nanoTime())) {
      explained.increment();
    } else if (broken || outcome == Outcome.WRONG) {
      failures.add(
          "%s after %d ms on %s: %s"
              .formatted(outcome, (System.nanoTime() - began) / 1_000_000, line.name(), visitor));
    }
  }

  private void kill(int place) throws IOException, InterruptedException {
    Outages.Outage outage = outages.began(place, System.nanoTime());
    cluster.killAndRestart(cluster.relays().get(place));
    for (Line line : lines) {
      if (line.relays().contains(place)) {
        awaitPassable(line);
      }
    }
    outage.ended(System.nanoTime());
  }

  private static void awaitPassable(Line line) throws InterruptedException {
    SoakConnection small = new SoakConnection(new Request(Request.Kind.TRANSFER, 1, 100, 100));
    boolean[] passed = {false};
    Cluster.until(
        line.name() + " to carry streams again",
        () -> {
          try {
            passed[0] = small.visit(line.way(), 0) == Outcome.HELD;
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return passed[0];
        });
  }

  private void sample() {
    cluster.checkAlive();
    for (int i = 0; i < peaks.size(); i++) {
      peaks.set(i, peaks.get(i).most(cluster.relays().get(i).vitals()));
    }
  }

  /**
   * Returns the resources of each relay while there are no connections: none of a stream may be
   * left.
   */
  private List<Vitals> rest(long began) throws InterruptedException {
    List<Vitals> vitals = new ArrayList<>();
    for (Relay relay : cluster.relays()) {
      try {
        Cluster.until(
            relay.name() + " to hold nothing",
            () -> {
              RelayHealth health = relay.health();
              return health.runningStreams() == 0 && health.heldBytes() == 0;
            });
      } catch (RuntimeException e) {
        RelayHealth health = relay.health();
        failures.add(
            "%s has %d streams and %d bytes with nobody there"
                .formatted(relay.name(), health.runningStreams(), health.heldBytes()));
      }
      long liveHeap = relay.liveHeapBytes();
      vitals.add(relay.vitals());
      if (vitals.size() == 1) {
        rests.add(
            new Growth.Rest(
                (System.nanoTime() - began) / 1_000_000_000,
                outcomes.values().stream().mapToLong(LongAdder::sum).sum(),
                liveHeap,
                vitals.getFirst().residentBytes()));
      }
    }
    return vitals;
  }

  private SoakReport report(List<Vitals> before, List<Vitals> after) {
    List<SoakReport.RelayRow> rows = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      rows.add(
          new SoakReport.RelayRow(
              cluster.relays().get(i).name(),
              i == 0,
              before.get(i).residentBytes(),
              after.get(i).residentBytes(),
              peaks.get(i).residentBytes(),
              before.get(i).descriptors(),
              after.get(i).descriptors(),
              peaks.get(i).descriptors(),
              new SoakReport.Threads(
                  before.get(i).threads(), after.get(i).threads(), peaks.get(i).threads())));
    }
    Map<String, Long> counts = new TreeMap<>();
    outcomes.forEach(
        (outcome, count) -> counts.put(outcome.name().toLowerCase(Locale.ROOT), count.sum()));
    return SoakReport.judged(
        plan.duration().toSeconds(),
        outages.count(),
        counts,
        explained.sum(),
        bytes.sum(),
        rows,
        List.copyOf(rests),
        plan.coded(),
        List.copyOf(failures));
  }
}
