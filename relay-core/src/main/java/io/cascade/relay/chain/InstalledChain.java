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
 * One chain's part at this relay. When the part changes, the configuration for new streams is
 * replaced as a whole; running streams keep theirs, except that their later pipes use the new one.
 */
final class InstalledChain implements PipeSource {
  private final UUID id;
  private final ChainStreams streams;
  private final JunctionInlet junction;
  private volatile @Nullable Wiring wiring;
  private volatile @Nullable Wiring lastWiring;

  /** First hops of the pipes that streams must not use. */
  private volatile Set<HopAddress> withdrawn = Set.of();

  private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();
  private volatile List<PartPassage> passages = List.of();
  private volatile PartState state = PartState.READY;
  private volatile Lease lease;
  private volatile long revision;
  private volatile long epoch;

  /**
   * Completes when the hops that are being installed are ready; already complete if there are none.
   */
  private volatile CompletableFuture<Void> warmUp = CompletableFuture.completedFuture(null);

  private volatile boolean removing;

  private final AtomicInteger claims = new AtomicInteger();

  /**
   * The configuration that new streams use.
   *
   * @param part as requested
   * @param passages the ways through it, at least one
   * @param ingress the port for clients; null if it has none
   */
  record Wiring(ChainPart part, List<WiredPassage> passages, @Nullable IngressListener ingress) {
    Wiring {
      passages = List.copyOf(passages);
    }

    /** The passage whose streams arrive over a hop; null if the hop ends in none. */
    @Nullable WiredPassage passageOf(HopAddress hop) {
      for (WiredPassage each : passages) {
        if (each.shape().hasInlet(hop)) {
          return each;
        }
      }
      return null;
    }
  }

  /** Records that hops are being made ready until the future completes. */
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

  /** Allows the chain to be installed again. */
  void removed() {
    removing = false;
  }

  /** Receives the end of every stream of a chain. */
  @FunctionalInterface
  interface Ends {
    void ended(InstalledChain chain, StreamLog log, RelayStream stream, CloseReason reason);
  }

  /**
   * @param junctions makes the inlet that reassembles streams from pipes
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

  /** Whether no caller claims it, it takes no streams and none runs. */
  boolean isIdle() {
    return claims.get() == 0 && !takesStreams() && streams.isEmpty();
  }

  /** Whether it takes streams or has running ones. */
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

  /** The passages that its streams use, or used last; empty before the first wiring. */
  List<PartPassage> passages() {
    return passages;
  }

  // The pipes that streams of its junction open now.

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
   * Hops over which pipes begin. Also those of a part that takes no more streams: its running
   * streams dial lost pipes again until they end.
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

  /** The passage whose pipes arrive over a hop, also of a part that takes no more streams. */
  @Nullable WiredPassage lastPassageOf(HopAddress hop) {
    Wiring last = lastWiring;
    return last == null ? null : last.passageOf(hop);
  }

  PartState state() {
    return state;
  }

  /** The lease; meaningless if the part takes no streams. */
  Lease lease() {
    return lease;
  }

  /** Whether new streams are taken. */
  boolean takesStreams() {
    return state == PartState.READY && wiring != null;
  }

  /** Whether another part differs only in its lease and its revision. */
  boolean isSame(ChainPart other) {
    Wiring now = wiring;
    return now != null && takesStreams() && bare(now.part()).equals(bare(other));
  }

  /** Revision of the part that was installed last; kept while its streams run. */
  long revision() {
    return revision;
  }

  /** Epoch of the orchestrator that requested the part last. */
  long epoch() {
    return epoch;
  }

  void askedIn(long newEpoch) {
    epoch = newEpoch;
  }

  /** Returns a part's revision; a part that names none counts as the first. */
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

  /** Renews the lease after the same part was requested again. */
  void renew(ChainPart again, Lease newLease) {
    Wiring now = wiring;
    if (now != null) {
      wire(new Wiring(again, now.passages(), now.ingress()));
    }
    renew(newLease);
  }

  /**
   * Stops taking streams.
   *
   * @param newState the reason
   */
  void retire(PartState newState) {
    state = newState;
    wiring = null;
  }

  /** Ready connections to next relays. */
  int warmConnections() {
    Wiring now = wiring;
    return now == null ? 0 : now.passages().stream().mapToInt(each -> each.outlet().ready()).sum();
  }

  /** The address that clients connect to; null if it has none, or no longer one. */
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
