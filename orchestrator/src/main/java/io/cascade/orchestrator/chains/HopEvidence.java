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
 * Makes evidence of links out of what relays' kernels say of the hops of chains: what was sent,
 * sent again and acknowledged between two readings of a relay, for streams that run and those that
 * have ended. The first reading of a chain's part shows what was sent since its installation, in
 * the time that the hop was busy; of its losses as many count as its rate allows. The last one is
 * taken as the chain is closed.
 *
 * <p>A hop that carried less than {@link #LEAST_BYTES} between two readings shows nothing, unless
 * it was busy for {@link #SLOW} and carried {@link #LEAST_SLOW_BYTES}: a slow link is a finding,
 * too. A reading that shows nothing of any hop is forgotten, so that the next one spans more. The
 * link held a stream back where data waited in the relay for the hop for {@link #WAITED} of the
 * time, window and send buffer limited for no more than a tenth of the hop's busy time, and exactly
 * one stream ran: what several achieve together no model of one connection explains. The time is
 * that in which the hop had something under way: a stream that has paused, or ended since, made no
 * slow link. In all other cases its rate counts, its losses unless window or send buffer limited,
 * and nothing is concluded from what it did not reach.
 */
@Component
class HopEvidence implements ChainMemory {
  static final long LEAST_BYTES = 1 << 20;

  /** Bytes that a hop has to carry within {@link #SLOW} of being busy. */
  static final long LEAST_SLOW_BYTES = 128 << 10;

  static final Duration SLOW = Duration.ofSeconds(3);

  /** Share of the time in which data waits for a hop that holds a stream back. */
  private static final double WAITED = 0.8;

  /** Share of a hop's busy time above which window or send buffer limit it. */
  private static final double LIMITED = 0.1;

  /** Longest time between two readings; what lies longer back was not steady. */
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
   * @param seconds that passed; empty for the time that a hop was busy
   * @param alone whether one stream ran
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

  /** A relay of the chain has said what it passed on so far. */
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

  /** The next reading spans what this one showed nothing of. */
  private synchronized void takeBack(Part part, Reading reading, @Nullable Reading before) {
    if (readings.remove(part, reading) && before != null) {
      readings.put(part, before);
    }
  }

  /** Whether any hop of the relay has shown something. */
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
   * Whether what a hop carries depends on other pipes, on a direct way, or on pacing as well: then
   * it shows no capacity.
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
            // The beginning of a stream is not steady.
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

  /** Time in which the bytes passed. Of several streams busy times add up to more than that. */
  private static double seconds(Between between, double busySeconds) {
    double passed = between.seconds().orElse(busySeconds);
    return between.alone() && busySeconds > 0 ? Math.min(passed, busySeconds) : passed;
  }

  /** Whether data waited for the hop, and so not the hop for data. */
  private static boolean waited(Sent of) {
    double waited =
        of.stallsNow() == null
            ? 0
            : of.stallsNow().sinkSeconds()
                - (of.stallsBefore() == null ? 0 : of.stallsBefore().sinkSeconds());
    return waited >= WAITED * of.seconds() && busyMillis(of) > 0;
  }

  /** Whether window or send buffer limited the hop, and not the network. */
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

  /** The difference; 0 where one is unknown, or where the relay was started anew. */
  private static long grown(@Nullable Long before, @Nullable Long now) {
    return before == null || now == null ? 0 : Math.max(0, now - before);
  }
}
