package io.cascade.orchestrator.chains;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.ChainOptions;
import io.cascade.api.orchestrator.EvidenceSource;
import io.cascade.api.orchestrator.HopOptions;
import io.cascade.api.orchestrator.Stalls;
import io.cascade.api.relay.HopConnections;
import io.cascade.api.relay.StreamTotals;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import io.cascade.model.calibration.LinkTransfer;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.DestinationTransfers;
import io.cascade.orchestrator.links.LinkTable;
import io.cascade.orchestrator.time.Timekeeper;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Makes evidence of links from TCP counters that relays report for the hops of chains: bytes sent,
 * retransmitted and acknowledged between two readings of a relay, of running and of ended streams.
 * The first reading of a chain's part covers what was sent since its installation, over the time
 * for which the hop was busy; of its losses only as many count as its rate allows. The last reading
 * is taken when the chain is closed.
 *
 * <p>A hop that carried less than {@link #LEAST_BYTES} between two readings gives no evidence,
 * unless it was busy for {@link #SLOW} and carried {@link #LEAST_SLOW_BYTES}: a slow link is a
 * finding, too. A reading without evidence of any hop is discarded, so that the next one spans a
 * longer time. The link counts as the limit of a stream if data waited in the relay for the hop for
 * {@link #WAITED} of the time, window and send buffer limited for at most a tenth of the hop's busy
 * time, and exactly one stream ran, since the model of one connection does not explain the rate of
 * several. The time is that for which the hop had data in flight: a stream that paused or ended
 * does not make a link slow. In all other cases the rate counts as a lower bound; the losses count
 * unless window or send buffer limited.
 */
@Component
class HopEvidence implements ChainMemory {
  static final long LEAST_BYTES = 1 << 20;

  /** Bytes that a hop has to carry if it was busy for at least {@link #SLOW}. */
  static final long LEAST_SLOW_BYTES = 128 << 10;

  static final Duration SLOW = Duration.ofSeconds(3);

  /** Share of the time for which data has to wait for a hop, for the hop to be the limit. */
  private static final double WAITED = 0.8;

  /** Share of a hop's busy time above which window or send buffer limits it. */
  private static final double LIMITED = 0.1;

  /**
   * Longest time between two readings that are compared: over a longer one rates were not steady.
   */
  private static final Duration MOST_BETWEEN = Duration.ofSeconds(60);

  private static final Duration LEAST_BETWEEN = Duration.ofSeconds(1);

  /** Counters of a part that was just installed. */
  private static final StreamTotals NOTHING =
      StreamTotals.builder()
          .running(0L)
          .opened(0L)
          .completed(0L)
          .failed(0L)
          .forwardBytes(0L)
          .backwardBytes(0L)
          .inlets(List.of())
          .outlets(List.of())
          .build();

  private final LinkTable links;
  private final DestinationTransfers destinations;
  private final Timekeeper time;
  private final Map<Part, Reading> readings = new HashMap<>();

  HopEvidence(LinkTable links, DestinationTransfers destinations, Timekeeper time) {
    this.links = links;
    this.destinations = destinations;
    this.time = time;
  }

  private record Part(UUID chain, String relay) {}

  private record Reading(long mark, StreamTotals totals) {}

  /**
   * Change at a relay between two readings.
   *
   * @param seconds time between them; empty for the time for which a hop was busy
   * @param alone whether exactly one stream ran
   */
  record Between(OptionalDouble seconds, boolean alone) {}

  /** Bytes that a hop sent in one direction between two readings. */
  private record Sent(
      HopConnections before,
      HopConnections now,
      @Nullable Stalls stallsBefore,
      @Nullable Stalls stallsNow,
      double seconds,
      boolean alone) {}

  /** Receives the totals that a relay of the chain has reported. */
  void counted(Chain chain, String relay, StreamTotals totals) {
    Part part = new Part(chain.id(), relay);
    long now = time.mark();
    Reading reading = new Reading(now, totals);
    Reading before;
    synchronized (this) {
      before = readings.get(part);
      if (before != null && !time.passed(before.mark(), LEAST_BETWEEN)) {
        return;
      }
      readings.put(part, reading);
    }
    if (before != null && time.passed(before.mark(), MOST_BETWEEN)) {
      return;
    }
    StreamTotals earlier = before == null ? NOTHING : before.totals();
    Between between =
        new Between(
            before == null
                ? OptionalDouble.empty()
                : OptionalDouble.of((now - before.mark()) / 1e9),
            earlier.running() + totals.opened() - earlier.opened() == 1);
    if (!found(chain, relay, before == null, earlier, totals, between)) {
      takeBack(part, reading, before);
    }
  }

  /** Restores the previous reading, so that the next one spans the time without evidence. */
  private synchronized void takeBack(Part part, Reading reading, @Nullable Reading before) {
    if (readings.remove(part, reading) && before != null) {
      readings.put(part, before);
    }
  }

  /** Whether any hop of the relay gave evidence. */
  private boolean found(
      Chain chain,
      String relay,
      boolean first,
      StreamTotals earlier,
      StreamTotals totals,
      Between between) {
    boolean any = false;
    RouteHops route = chain.installedRoute();
    for (RouteHop out : route.outOf(relay)) {
      Optional<LinkTransfer> found =
          transfer(
              orNothing(RelayHops.atStart(out, earlier), out, first),
              RelayHops.atStart(out, totals),
              earlier.forwardStalls(),
              totals.forwardStalls(),
              between,
              isOnlyAPart(chain, route, out));
      any |= found.isPresent();
      found.ifPresent(shown -> forward(chain, out, shown));
    }
    for (RouteHop in : route.into(relay)) {
      if (in.leavesRelay()) {
        Optional<LinkTransfer> found =
            transfer(
                orNothing(RelayHops.atEnd(in, earlier), in, first),
                RelayHops.atEnd(in, totals),
                earlier.backwardStalls(),
                totals.backwardStalls(),
                between,
                isOnlyAPart(chain, route, in));
        any |= found.isPresent();
        found.ifPresent(shown -> show(relay, in.from(), shown));
      }
    }
    return any;
  }

  private void forward(Chain chain, RouteHop out, LinkTransfer shown) {
    if (out.joinsRelays()) {
      show(out.from(), out.to(), shown);
    } else {
      destinations.transferred(
          out.from(),
          HostPort.parse(chain.request().destination()),
          shown,
          shown.highestBitsPerSecond());
    }
  }

  @Override
  public synchronized void retain(Predicate<UUID> open) {
    readings.keySet().removeIf(part -> !open.test(part.chain()));
  }

  private void show(String from, String to, LinkTransfer found) {
    links.transferred(from, to, EvidenceSource.STREAM, found, found.highestBitsPerSecond());
  }

  /**
   * Whether the rate of a hop also depends on other pipes, on a direct way, or on pacing: then it
   * does not show the link's capacity.
   */
  private static boolean isOnlyAPart(Chain chain, RouteHops route, RouteHop hop) {
    return !route.isOnePipe()
        || ChainQuestion.sharesWithDirect(chain)
        || isPaced(chain, route, hop);
  }

  private static boolean isPaced(Chain chain, RouteHops route, RouteHop hop) {
    ChainOptions options = chain.request().options();
    HopOptions own = HopOverrides.at(options, route, hop.address());
    return (options != null && options.pacingBitsPerSecond() != null)
        || (own != null && own.pacingBitsPerSecond() != null);
  }

  private static @Nullable HopConnections orNothing(
      @Nullable HopConnections said, RouteHop hop, boolean first) {
    return first
        ? HopConnections.builder()
            .hop(hop.address())
            .connections(0L)
            .congestionWindowSegments(0L)
            .unackedSegments(0L)
            .notSentBytes(0L)
            .sentSegments(0L)
            .retransmittedSegments(0L)
            .ackedBytes(0L)
            .busyMillis(0L)
            .receiverLimitedMillis(0L)
            .senderLimitedMillis(0L)
            .build()
        : said;
  }

  static Optional<LinkTransfer> transfer(
      @Nullable HopConnections before,
      @Nullable HopConnections now,
      @Nullable Stalls stallsBefore,
      @Nullable Stalls stallsNow,
      Between between,
      boolean onlyAPart) {
    if (before == null || now == null) {
      return Optional.empty();
    }
    double busySeconds = grown(before.busyMillis(), now.busyMillis()) / 1e3;
    double seconds = seconds(between, busySeconds);
    Double minRtt = now.minRttMillis();
    String name = now.congestionControl();
    Optional<CongestionControl> control =
        name == null ? Optional.empty() : CongestionControl.named(name);
    long bytes = grown(before.ackedBytes(), now.ackedBytes());
    long sent = now.sentSegments() - before.sentSegments();
    long again = now.retransmittedSegments() - before.retransmittedSegments();
    if (control.isEmpty()
        || minRtt == null
        || !(minRtt > 0)
        || bytes < (busySeconds < SLOW.toSeconds() ? LEAST_BYTES : LEAST_SLOW_BYTES)
        || sent <= 0
        || again < 0
        || !(seconds > 0 && seconds <= MOST_BETWEEN.toSeconds())) {
      return Optional.empty();
    }
    double rate = Byte.SIZE * bytes / seconds;
    Sent of = new Sent(before, now, stallsBefore, stallsNow, seconds, between.alone());
    boolean first = between.seconds().isEmpty();
    LinkTransfer transfer =
        new LinkTransfer(
            control.get(),
            rate,
            // The start of a stream is not steady.
            first ? OptionalDouble.empty() : OptionalDouble.of(rate),
            seconds,
            sent,
            again,
            minRtt / 1e3,
            loadedRttSeconds(before, now),
            !onlyAPart && of.alone() && waited(of) && !isHeldBack(of));
    if (isHeldBack(of)) {
      return Optional.of(transfer.withoutLosses());
    }
    return Optional.of(first ? transfer.withoutLossesOfItsBeginning() : transfer);
  }

  /**
   * Time in which the bytes were sent, in seconds. The busy times of several streams may add up to
   * more than that.
   */
  private static double seconds(Between between, double busySeconds) {
    double passed = between.seconds().orElse(busySeconds);
    return between.alone() && busySeconds > 0 ? Math.min(passed, busySeconds) : passed;
  }

  /** Whether data waited for the hop, instead of the hop for data. */
  private static boolean waited(Sent of) {
    double waited =
        of.stallsNow() == null
            ? 0
            : of.stallsNow().sinkSeconds()
                - (of.stallsBefore() == null ? 0 : of.stallsBefore().sinkSeconds());
    return waited >= WAITED * of.seconds() && busyMillis(of) > 0;
  }

  /** Whether window or send buffer limited the hop, instead of the network. */
  private static boolean isHeldBack(Sent of) {
    long ends =
        grown(of.before().receiverLimitedMillis(), of.now().receiverLimitedMillis())
            + grown(of.before().senderLimitedMillis(), of.now().senderLimitedMillis());
    return ends > LIMITED * busyMillis(of);
  }

  private static long busyMillis(Sent of) {
    return grown(of.before().busyMillis(), of.now().busyMillis());
  }

  private static OptionalDouble loadedRttSeconds(HopConnections before, HopConnections now) {
    Double late = now.meanRttMillis();
    if (late == null) {
      return OptionalDouble.empty();
    }
    double early = Objects.requireNonNullElse(before.meanRttMillis(), late);
    return OptionalDouble.of((early + late) / 2e3);
  }

  /** The increase; 0 if one is unknown, or if the relay has restarted. */
  private static long grown(@Nullable Long before, @Nullable Long now) {
    return before == null || now == null ? 0 : Math.max(0, now - before);
  }
}
