package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.PartState;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.junction.JunctionInlet;
import io.cascade.relay.junction.PipeAccounts;
import io.cascade.relay.junction.PipeSource;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.RelayStream;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One chain's part at this relay. What new streams use is replaced as a whole when the part
 * changes; running streams keep what they started with, but for later pipes of theirs.
 */
final class InstalledChain implements PipeSource {
  private final UUID id;
  private final ChainStreams streams;
  private final JunctionInlet junction;
  private volatile @Nullable Wiring wiring;
  private volatile @Nullable Wiring lastWiring;

  /** First hops of pipes that streams are to do without. */
  private volatile Set<HopAddress> withdrawn = Set.of();

  private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
  private volatile List<PartPassage> passages = List.of();
  private volatile PartState state = PartState.READY;
  private volatile Lease lease;
  private volatile long revision;
  private volatile long epoch;

  /** Completes when the hops that are being installed are ready; done where none are. */
  private volatile CompletableFuture<Void> warmUp = CompletableFuture.completedFuture(null);

  private volatile boolean removing;

  private final AtomicInteger claims = new AtomicInteger();

  /**
   * The configuration that new streams use.
   *
   * @param part as it was asked for
   * @param passages the ways through it, at least one
   * @param ingress the port of clients; null where there is none
   */
  record Wiring(ChainPart part, List<WiredPassage> passages, @Nullable IngressListener ingress) {
    Wiring {
      passages = List.copyOf(passages);
    }

    /** The passage by which streams come over a hop; null where none ends here. */
    @Nullable WiredPassage passageOf(HopAddress hop) {
      for (WiredPassage each : passages) {
        if (each.shape().hasInlet(hop)) {
          return each;
        }
      }
      return null;
    }
  }

  /** Hops are being made ready, until this completes. */
  void warmsUp(CompletableFuture<Void> ready) {
    warmUp = ready;
    if (removing) {
      ready.cancel(true);
    }
  }

  /** Cancels all present and future waits for the chain's hops. May be called from any thread. */
  void removalBegins() {
    removing = true;
    warmUp.cancel(true);
  }

  /** The chain may be installed again. */
  void removed() {
    removing = false;
  }

  /** Is told of the end of every chain's streams. */
  @FunctionalInterface
  interface Ends {
    void ended(InstalledChain chain, StreamLog log, RelayStream stream, CloseReason reason);
  }

  /**
   * @param junctions makes what puts together the streams that come in pipes
   */
  InstalledChain(UUID id, Lease lease, Function<PipeAccounts, JunctionInlet> junctions, Ends ends) {
    this.id = id;
    this.lease = lease;
    this.streams =
        new ChainStreams(log -> (stream, reason) -> ends.ended(this, log, stream, reason));
    this.junction = junctions.apply(streams.pipes());
  }

  /** Keeps the chain in the registry until {@link #unclaim()}. */
  void claim() {
    claims.incrementAndGet();
  }

  void unclaim() {
    claims.decrementAndGet();
  }

  /** Whether nobody claims it, it takes no streams and none runs. */
  boolean isIdle() {
    return claims.get() == 0 && !takesStreams() && streams.isEmpty();
  }

  /** Whether it takes streams or has some. */
  boolean isVisible() {
    return wiring != null || !streams.isEmpty();
  }

  UUID id() {
    return id;
  }

  ChainStreams streams() {
    return streams;
  }

  JunctionInlet junction() {
    return junction;
  }

  @Nullable Wiring wiring() {
    return wiring;
  }

  /** The passages that its streams take, or took last; empty before anything was wired. */
  List<PartPassage> passages() {
    return passages;
  }

  // The pipes that the streams of its junction begin now.

  @Override
  public int count() {
    return pipes().size();
  }

  @Override
  public @Nullable Way at(int index) {
    List<HopOutlet> pipes = pipes();
    if (index >= pipes.size()) {
      return null;
    }
    HopOutlet outlet = pipes.get(index);
    return new Way(outlet, streams.pipes().of(outlet.hop()), withdrawn.contains(outlet.hop()));
  }

  @Override
  public void watch(Runnable changed) {
    watchers.add(changed);
  }

  @Override
  public void unwatch(Runnable changed) {
    watchers.remove(changed);
  }

  /**
   * Hops by which pipes begin. Also of a part that takes no more streams: those that run make lost
   * pipes anew until they end.
   */
  private List<HopOutlet> pipes() {
    Wiring last = lastWiring;
    if (last != null) {
      for (WiredPassage each : last.passages()) {
        if (each.shape().splits()) {
          return each.hops();
        }
      }
    }
    return List.of();
  }

  /** The passage by which pipes come over a hop, also of a part that takes no more streams. */
  @Nullable WiredPassage lastPassageOf(HopAddress hop) {
    Wiring last = lastWiring;
    return last == null ? null : last.passageOf(hop);
  }

  PartState state() {
    return state;
  }

  /** The lease; without a meaning where the part takes no more streams. */
  Lease lease() {
    return lease;
  }

  /** Whether new streams are taken. */
  boolean takesStreams() {
    return state == PartState.READY && wiring != null;
  }

  /** Whether another part differs in its lease and its revision alone. */
  boolean isSame(ChainPart other) {
    Wiring now = wiring;
    return now != null && takesStreams() && bare(now.part()).equals(bare(other));
  }

  /** Revision of the part that was installed last; kept while streams of it run. */
  long revision() {
    return revision;
  }

  /** Epoch of the orchestrator that asked for the part last. */
  long epoch() {
    return epoch;
  }

  void askedIn(long newEpoch) {
    epoch = newEpoch;
  }

  /** Returns a part's revision; a part that does not say is the first. */
  static long revision(ChainPart part) {
    return Objects.requireNonNullElse(part.revision(), 0L);
  }

  void wire(Wiring newWiring) {
    withdrawn =
        newWiring.part().outlets().stream()
            .filter(outlet -> Boolean.TRUE.equals(outlet.withdrawn()))
            .map(PartOutlet::hop)
            .collect(Collectors.toSet());
    lastWiring = newWiring;
    wiring = newWiring;
    passages = newWiring.passages().stream().map(WiredPassage::shape).toList();
    revision = revision(newWiring.part());
    state = PartState.READY;
    watchers.forEach(Runnable::run);
  }

  void renew(Lease newLease) {
    lease = newLease;
  }

  /** Renews the lease, since the same part was asked for again. */
  void renew(ChainPart again, Lease newLease) {
    Wiring now = wiring;
    if (now != null) {
      wire(new Wiring(again, now.passages(), now.ingress()));
    }
    renew(newLease);
  }

  /** Takes no more streams; {@code newState} says why. */
  void retire(PartState newState) {
    state = newState;
    wiring = null;
  }

  /** Connections that are ready to next relays. */
  int warmConnections() {
    Wiring now = wiring;
    return now == null ? 0 : now.passages().stream().mapToInt(each -> each.outlet().ready()).sum();
  }

  /** The address that clients connect to; null where there is none, or no more. */
  @Nullable InetSocketAddress ingress() {
    Wiring now = wiring;
    return now == null || now.ingress() == null ? null : now.ingress().address();
  }

  private static ChainPart bare(ChainPart part) {
    return ChainPart.builder()
        .inlets(part.inlets())
        .outlets(part.outlets())
        .leaseSeconds(0)
        .options(part.options())
        .build();
  }
}
