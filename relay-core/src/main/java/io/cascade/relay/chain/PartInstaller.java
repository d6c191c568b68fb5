package io.cascade.relay.chain;

import static java.util.stream.Collectors.joining;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.SetupTimings;
import io.cascade.carriage.coded.CodedService;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopReceiver;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.ingress.IngressListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Installs parts, takes over those of another process, and retires them. An installation blocks
 * until the part is ready, so it runs on virtual threads.
 */
final class PartInstaller {
  private static final Logger LOG = Logger.getLogger(PartInstaller.class.getName());

  private final ChainRegistry registry;
  private final Leases leases;
  private final LeaderEpoch epochs;
  private final HopServer hops;
  private final PartEnds ends;
  private final StreamAdmission admission;
  private final ChainSettings settings;
  private final ChainDocuments documents;

  PartInstaller(
      ChainRegistry registry,
      Leases leases,
      LeaderEpoch epochs,
      HopServer hops,
      PartEnds ends,
      StreamAdmission admission,
      ChainSettings settings,
      ChainDocuments documents) {
    this.registry = registry;
    this.leases = leases;
    this.epochs = epochs;
    this.hops = hops;
    this.ends = ends;
    this.admission = admission;
    this.settings = settings;
    this.documents = documents;
  }

  /**
   * Installs a part, or renews it if the same part is already installed.
   *
   * @param epoch of the orchestrator that asks for it
   * @throws PartRefused when it cannot be installed; then the relay holds nothing of it. A stale
   *     part changes nothing
   */
  InstalledPart install(UUID id, ChainPart part, long epoch) throws PartRefused {
    registry.checkServing();
    epochs.hear(epoch);
    List<PartPassage> passages = PartPassage.of(part);
    if (PartChecks.checkSecurity(part, settings)) {
      ends.makeIdentity();
    }
    InstalledChain chain =
        registry.claim(id, each -> newChain(each, leases.grant(part.leaseSeconds())));
    try {
      synchronized (chain) {
        registry.checkServing(); // Checked again now that a drain would see this chain.
        epochs.hear(epoch); // again: the next leader may have called meanwhile
        return install(chain, part, passages, epoch);
      }
    } finally {
      registry.release(chain);
    }
  }

  private InstalledChain newChain(UUID id, Lease lease) {
    return new InstalledChain(id, lease, admission::newJunction, admission::ended);
  }

  private InstalledPart install(
      InstalledChain chain, ChainPart part, List<PartPassage> passages, long epoch)
      throws PartRefused {
    long held = chain.revision();
    // Revisions of another leader may come from an older copy of the database.
    if (epoch == chain.epoch() && InstalledChain.revision(part) < held) {
      throw new PartRefused(
          PartRefused.Kind.STALE,
          "revision: "
              + InstalledChain.revision(part)
              + " (expected: at least "
              + held
              + ", which is installed already)");
    }
    chain.askedIn(epoch);
    if (chain.isSame(part)) {
      chain.renew(part, leases.grant(part.leaseSeconds()));
      return documents.installed(chain, true, new SetupTimings(0.0, 0.0, 0.0, 0.0));
    }
    return wire(chain, part, passages);
  }

  private InstalledPart wire(InstalledChain chain, ChainPart part, List<PartPassage> passages)
      throws PartRefused {
    InstalledChain.Wiring before = chain.wiring();
    long started = System.nanoTime();
    List<WiredPassage> wired = new ArrayList<>();
    IngressListener ingress = null;
    try {
      for (PartPassage passage : passages) {
        wired.add(ends.passage(chain, part, passage, before, HopCounters.NONE));
      }
      checkDestination(wired);
      long resolved = System.nanoTime();
      ingress = ends.ingress(chain, wired, before);
      long listening = System.nanoTime();
      chain.renew(leases.grant(part.leaseSeconds()));
      chain.wire(new InstalledChain.Wiring(part, wired, ingress));
      // Before the onward connections are ready, since previous relays wait for it.
      takeFromHops(chain.id(), wired);
      hops.takeClient(chain.id(), client(wired));
      warmUp(chain, wired, before);
      long warm = System.nanoTime();
      release(before, wired, ingress);
      return documents.installed(
          chain,
          false,
          new SetupTimings(
              millis(started, resolved),
              millis(resolved, listening),
              millis(listening, warm),
              millis(started, warm)));
    } catch (PartRefused | RuntimeException e) {
      wired.forEach(each -> each.hops().forEach(HopOutlet::close));
      if (ingress != null) {
        ingress.close();
      }
      hops.remove(chain.id());
      hops.takeClient(chain.id(), null);
      release(before, List.of(), ingress);
      chain.retire(PartState.REMOVED);
      throw e;
    }
  }

  /** Records that no more parts are installed, so that no connection waits for one. */
  void awaitNoMoreParts() {
    hops.parkNoMore();
  }

  private static @Nullable CodedService client(List<WiredPassage> wired) {
    return wired.stream()
        .map(WiredPassage::client)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private void takeFromHops(UUID id, List<WiredPassage> wired) {
    List<HopReceiver> receivers =
        wired.stream().flatMap(each -> each.receivers().stream()).toList();
    if (receivers.isEmpty()) {
      hops.remove(id);
    } else {
      hops.install(id, receivers);
    }
  }

  /**
   * Checks an installed part only: streams of a part that is taken over end with the same refusal.
   */
  private static void checkDestination(List<WiredPassage> wired) throws PartRefused {
    for (WiredPassage each : wired) {
      AddressRefusal obstacle =
          each.outlet() instanceof EgressOutlet egress ? egress.obstacle() : null;
      if (obstacle != null) {
        throw new PartRefused(PartRefused.Kind.DESTINATION_NOT_ALLOWED, obstacle.text());
      }
    }
  }

  /**
   * Makes a passage's connections to next relays ready; those of kept hops already are. All are
   * required, except when a segment that has carried streams is installed again: then one is
   * enough, and each stream dials the others itself.
   */
  private static CompletableFuture<Void> ready(
      WiredPassage passage, InstalledChain.@Nullable Wiring before, long deadlineNanos) {
    List<CompletableFuture<Void>> fresh =
        passage.hops().stream()
            .filter(hop -> !PartEnds.isOf(before, hop))
            .map(hop -> hop.warmUp(deadlineNanos))
            .toList();
    CompletableFuture<Void> all = CompletableFuture.allOf(fresh.toArray(CompletableFuture[]::new));
    if (before == null || !passage.shape().splits()) {
      return all;
    }
    boolean keeps = fresh.size() < passage.hops().size();
    return all.handle((_, failure) -> {
      if (failure != null
          && !keeps
          && fresh.stream().allMatch(CompletableFuture::isCompletedExceptionally)) {
        throw new CompletionException(failure);
      }
      return null;
    });
  }

  /** Makes the connections to next relays ready. */
  private void warmUp(
      InstalledChain chain, List<WiredPassage> wired, InstalledChain.@Nullable Wiring before)
      throws PartRefused {
    Duration timeout = settings.installTimeout();
    long deadline = System.nanoTime() + timeout.toNanos();
    CompletableFuture<Void> ready =
        CompletableFuture.allOf(
            wired.stream()
                .map(each -> ready(each, before, deadline))
                .toArray(CompletableFuture[]::new));
    chain.warmsUp(ready);
    try {
      ready.get(2 * timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (CancellationException e) {
      throw new PartRefused(
          PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
          "the chain was removed while the next relay was awaited");
    } catch (ExecutionException e) {
      LOG.log(Level.INFO, "the next relay does not accept the chain: {0}", reason(e));
      throw notTaken(wired);
    } catch (TimeoutException e) {
      LOG.log(Level.INFO, "the next relay did not answer in time");
      throw notTaken(wired);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PartRefused(PartRefused.Kind.DRAINING, "this relay is shutting down");
    }
  }

  /**
   * Omits the cause: what listens at an address that another relay named is not to be disclosed.
   */
  private static PartRefused notTaken(List<WiredPassage> wired) {
    return new PartRefused(
        PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
        "the next relay does not accept the chain (this relay's log has the reason): "
            + wired.stream().map(each -> each.outlet().target()).collect(joining(", ")));
  }

  /**
   * Installs a part with the state that another process handed over. Its ingress port accepts no
   * connections yet.
   *
   * @param descriptor of the listening socket; null where the chain does not listen
   * @throws PartRefused when this process cannot install it
   */
  void inherit(ChainSnapshot snapshot, @Nullable Integer descriptor) throws PartRefused {
    List<PartPassage> passages = PartPassage.of(snapshot.part());
    Lease lease = leases.inherit(snapshot.leaseLeft(), snapshot.sinceContact());
    InstalledChain chain = registry.claim(snapshot.chain(), each -> newChain(each, lease));
    try {
      inherit(chain, snapshot, passages, descriptor);
    } finally {
      registry.release(chain);
    }
  }

  private void inherit(
      InstalledChain chain,
      ChainSnapshot snapshot,
      List<PartPassage> passages,
      @Nullable Integer descriptor)
      throws PartRefused {
    HopCounters inherited = new HopCounters(snapshot.hopCounters(), snapshot.seen());
    List<WiredPassage> wired = new ArrayList<>();
    IngressListener ingress = null;
    try {
      for (PartPassage passage : passages) {
        wired.add(ends.passage(chain, snapshot.part(), passage, null, inherited));
      }
      ingress = descriptor == null ? null : ends.adopt(chain, descriptor, wired);
    } catch (IOException e) {
      wired.forEach(each -> each.hops().forEach(HopOutlet::close));
      throw new PartRefused(PartRefused.Kind.PORT_TAKEN, String.valueOf(e.getMessage()));
    }
    chain.askedIn(epochs.greatest());
    chain.wire(new InstalledChain.Wiring(snapshot.part(), wired, ingress));
    takeFromHops(chain.id(), wired);
    hops.takeClient(chain.id(), client(wired));
    // No caller waits for these connections: a stream that arrives earlier dials for itself.
    long deadline = System.nanoTime() + settings.installTimeout().toNanos();
    for (WiredPassage each : wired) {
      for (HopOutlet hop : each.hops()) {
        CompletableFuture<Void> _ = hop.warmUp(deadline);
      }
    }
  }

  /**
   * Retires a part: it takes no new streams, and is forgotten with its last one. New pipes of
   * streams that are reassembled here are still accepted. The caller holds the chain's lock.
   */
  void retire(InstalledChain chain, PartState state) {
    InstalledChain.Wiring wiring = chain.wiring();
    if (wiring != null) {
      chain.retire(state);
      hops.takeClient(chain.id(), null);
      takeFromHops(
          chain.id(),
          chain.junction().running() == 0
              ? List.of()
              : wiring.passages().stream().filter(passage -> passage.shape().combines()).toList());
      release(wiring, List.of(), null);
    }
    registry.forgetIfIdle(chain);
  }

  /** Closes the ends that new streams used before, except those that are kept. */
  private static void release(
      InstalledChain.@Nullable Wiring before,
      List<WiredPassage> kept,
      @Nullable IngressListener keptIngress) {
    if (before == null) {
      return;
    }
    for (WiredPassage each : before.passages()) {
      for (HopOutlet hop : each.hops()) {
        if (kept.stream().noneMatch(other -> other.hops().contains(hop))) {
          hop.close();
        }
      }
    }
    if (before.ingress() != null && before.ingress() != keptIngress) {
      before.ingress().close();
    }
  }

  private static String reason(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return String.valueOf(cause.getMessage());
  }

  private static double millis(long from, long to) {
    return (to - from) / 1e6;
  }
}
