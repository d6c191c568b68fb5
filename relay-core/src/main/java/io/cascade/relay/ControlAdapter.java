package io.cascade.relay;

import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.HealthStatus;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.RelayHealth;
import io.cascade.carriage.tls.HopTls;
import io.cascade.relay.chain.ChainTable;
import io.cascade.relay.chain.StreamSums;
import io.cascade.relay.control.LimitsRefused;
import io.cascade.relay.control.RelayState;
import io.cascade.relay.hop.HopRefusal;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.proxy.ProxyServer;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.Stalls;
import io.cascade.relay.rendezvous.RendezvousServer;
import io.cascade.relay.telemetry.ChainTotals;
import io.cascade.relay.telemetry.RelayReadings;
import io.cascade.relay.thread.LoopPulses;
import io.cascade.relay.throughput.ThroughputTests;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Describes the whole relay to its control endpoint and its telemetry, so that neither knows the
 * relay's parts.
 */
final class ControlAdapter implements RelayState, RelayReadings {
  private final RelaySettings settings;
  private final NodeIdentity identity;
  private final long startedNanos;
  private final ChainTable chains;
  private final HopServer hops;
  private final HopTls tls;
  private final LiveLimits limits;
  private final @Nullable ProxyServer proxies;
  private final @Nullable RendezvousServer rendezvous;
  private final ThroughputTests tests;
  private final LoopPulses pulses;

  /**
   * @param startedNanos when the relay started, by the monotonic clock
   * @param proxies null if the relay has none
   * @param rendezvous null if the relay has none
   */
  ControlAdapter(
      RelayParts parts,
      long startedNanos,
      @Nullable ProxyServer proxies,
      @Nullable RendezvousServer rendezvous) {
    this.settings = parts.settings();
    this.identity = parts.identity();
    this.startedNanos = startedNanos;
    this.chains = parts.chains();
    this.hops = parts.hops();
    this.tls = parts.tls();
    this.limits = parts.limits();
    this.proxies = proxies;
    this.rendezvous = rendezvous;
    this.tests = parts.tests();
    this.pulses = parts.pulses();
  }

  @Override
  public Limits limits() {
    return limits.document();
  }

  @Override
  public Limits change(Limits wanted) throws LimitsRefused {
    return limits.change(wanted);
  }

  @Override
  public RelayHealth health() {
    return RelayHealth.builder()
        .status(chains.isDraining() ? HealthStatus.DRAINING : HealthStatus.UP)
        .name(settings.name())
        .instance(identity.instance())
        .transport(settings.transport().toString())
        .uptimeSeconds((System.nanoTime() - startedNanos) / 1e9)
        .runningStreams(runningStreams())
        .heldBytes(heldBytes())
        .memoryBudgetBytes(memoryBudgetBytes())
        .certificateSha256(
            settings.hopSecurity() == HopSecurity.PLAIN ? null : tls.fingerprint().sha256())
        .build();
  }

  @Override
  public @Nullable String blocked() {
    int blocked = pulses.blocked();
    return blocked == 0
        ? null
        : ("%d of %d event loops have been blocked for %d s, and so are their streams; fix: find"
                + " with jstack what blocks them, and start the relay again")
            .formatted(blocked, settings.eventLoops(), LoopPulses.LONGEST.toSeconds());
  }

  @Override
  public long runningStreams() {
    return chains.counters().runningStreams();
  }

  @Override
  public long mostStreams() {
    return chains.admission().limits().mostStreams();
  }

  @Override
  public long openedStreams() {
    return runningStreams()
        + chains.counters().ended().byReason().values().stream().mapToLong(n -> n).sum();
  }

  @Override
  public Map<String, Long> endedStreams() {
    Map<String, Long> ended = new TreeMap<>(chains.counters().ended().byReason());
    ended.put("shed", chains.counters().shedStreams());
    ended.put("shed-descriptors", chains.counters().streamsShedForDescriptors());
    ended.put("source-refused", chains.counters().streamsOfRefusedSources());
    return ended;
  }

  @Override
  public Map<String, Long> headerRefusals() {
    Map<String, Long> refusals = new TreeMap<>();
    for (HopRefusal reason : HopRefusal.values()) {
      refusals.put(reason.code(), hops.refusals().of(reason));
    }
    return refusals;
  }

  @Override
  public Map<String, Long> refusedPipes() {
    return chains.admission().segments().refusedPipes();
  }

  @Override
  public Map<String, Long> resetSegments() {
    return chains.admission().segments().resetStreams();
  }

  @Override
  public Map<String, Long> tlsHandshakes() {
    return tls.handshakes();
  }

  @Override
  public Map<String, Long> proxyHandshakes() {
    return proxies == null ? Map.of() : proxies.handshakes();
  }

  @Override
  public Map<String, Long> rendezvousRequests() {
    return rendezvous == null ? Map.of() : rendezvous.requests();
  }

  @Override
  public long rendezvousWaiting() {
    return rendezvous == null ? 0 : rendezvous.waiting();
  }

  @Override
  public long rendezvousLeftBytes() {
    return rendezvous == null ? 0 : rendezvous.leftBytes();
  }

  @Override
  public long rendezvousBytes() {
    return rendezvous == null ? 0 : rendezvous.movedBytes();
  }

  @Override
  public long rendezvousAddresses() {
    return rendezvous == null ? 0 : rendezvous.addressesTold();
  }

  @Override
  public Map<String, Long> throughputTests() {
    return tests.outcomes();
  }

  @Override
  public long testBytes() {
    return tests.movedBytes();
  }

  @Override
  public long testBudgetBytes() {
    return tests.hourBytes();
  }

  @Override
  public long testBudgetLeftBytes() {
    return tests.leftBytes();
  }

  @Override
  public long bytes(Direction direction) {
    return chains.counters().bytes(direction);
  }

  @Override
  public Stalls stalls(Direction direction) {
    return chains.counters().stalls(direction);
  }

  @Override
  public long splicedBytes() {
    return chains.counters().splicedBytes();
  }

  @Override
  public long heldBytes() {
    return chains.admission().memory().heldBytes();
  }

  @Override
  public long memoryBudgetBytes() {
    return chains.admission().memory().totalBytes();
  }

  @Override
  public long networkBufferBytes() {
    return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
  }

  @Override
  public long warmConnections() {
    return chains.warmConnections();
  }

  @Override
  public long installedChains() {
    return chains.installedChains();
  }

  @Override
  public long unattendedChains() {
    return chains.unattendedChains();
  }

  @Override
  public List<ChainTotals> chains() {
    return chains.sums().stream().map(ControlAdapter::totals).toList();
  }

  @Override
  public Map<UUID, List<CodedHop>> codedHops() {
    return chains.codedHops();
  }

  private static ChainTotals totals(ChainTable.ChainSums sums) {
    StreamSums streams = sums.streams();
    return new ChainTotals(
        sums.chain().toString(),
        streams.running(),
        streams.heldBytes(),
        sums.warmConnections(),
        streams.ended(),
        new ChainTotals.Carried(streams.forwardBytes(), streams.forwardStalls()),
        new ChainTotals.Carried(streams.backwardBytes(), streams.backwardStalls()),
        streams.inlet(),
        streams.onward(),
        pipes(sums.pipes()));
  }

  private static ChainTotals.PipeSums pipes(List<PipeTotals> pipes) {
    return new ChainTotals.PipeSums(
        sum(pipes, PipeTotals::running),
        sum(pipes, PipeTotals::opened),
        sum(pipes, PipeTotals::lost),
        sum(pipes, pipe -> pipe.moved() == null ? 0 : pipe.moved()),
        sum(pipes, PipeTotals::sentBytes),
        sum(pipes, PipeTotals::receivedBytes));
  }

  private static long sum(List<PipeTotals> pipes, ToLongFunction<PipeTotals> of) {
    return pipes.stream().mapToLong(of).sum();
  }
}
