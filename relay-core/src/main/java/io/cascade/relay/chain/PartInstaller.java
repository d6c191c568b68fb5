package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.SetupTimings;
import io.cascade.relay.destination.AddressRefusal;
import io.cascade.relay.egress.EgressOutlet;
import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.ingress.IngressListener;
import io.cascade.relay.stream.Outlet;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Installs parts, takes over those of another process, and retires them. Installing blocks until
 * the part is ready, so it is called on virtual threads.
 */
final class PartInstaller {
  private final ChainRegistry registry;
  private final Leases leases;
  private final HopServer hops;
  private final PartEnds ends;
  private final StreamAdmission admission;
  private final ChainSettings settings;
  private final ChainDocuments documents;

  PartInstaller(
      ChainRegistry registry,
      Leases leases,
      HopServer hops,
      PartEnds ends,
      StreamAdmission admission,
      ChainSettings settings,
      ChainDocuments documents) {
    this.registry = registry;
    this.leases = leases;
    this.hops = hops;
    this.ends = ends;
    this.admission = admission;
    this.settings = settings;
    this.documents = documents;
  }

  /**
   * Installs a part, or renews it when the same is here already.
   *
   * @throws PartRefused when it cannot be installed; nothing of it is left then, and of a part that
   *     is stale nothing was touched
   */
  InstalledPart install(UUID id, ChainPart part) throws PartRefused {
    registry.checkServing();
    PassThrough passThrough = PassThrough.of(part);
    if (PartChecks.checkSecurity(passThrough, settings)) {
      ends.makeIdentity();
    }
    InstalledChain chain =
        registry.claim(
            id,
            each -> new InstalledChain(each, leases.grant(part.leaseSeconds()), admission::ended));
    try {
      synchronized (chain) {
        registry.checkServing(); // again, now that whoever drains sees this chain
        return install(chain, part, passThrough);
      }
    } finally {
      registry.release(chain);
    }
  }

  private InstalledPart install(InstalledChain chain, ChainPart part, PassThrough passThrough)
      throws PartRefused {
    long held = chain.revision();
    if (InstalledChain.revision(part) < held) {
      throw new PartRefused(
          PartRefused.Kind.STALE,
          "revision: "
              + InstalledChain.revision(part)
              + " (expected: at least "
              + held
              + ", which is here already)");
    }
    if (chain.isSame(part)) {
      chain.renew(part, leases.grant(part.leaseSeconds()));
      return documents.installed(chain, true, new SetupTimings(0.0, 0.0, 0.0, 0.0));
    }
    return wire(chain, part, passThrough);
  }

  private InstalledPart wire(InstalledChain chain, ChainPart part, PassThrough passThrough)
      throws PartRefused {
    PartSettings partSettings = ends.settings(part, passThrough);
    InstalledChain.Wiring before = chain.wiring();
    long started = System.nanoTime();
    Outlet outlet = ends.outlet(chain.id(), passThrough, partSettings, 0);
    if (outlet instanceof EgressOutlet egress) {
      checkDestination(egress);
    }
    long resolved = System.nanoTime();
    IngressListener ingress = null;
    try {
      ingress = ends.ingress(chain, passThrough, partSettings.streams().inlet().tuning(), before);
      HopInlet inlet = ends.inlet(chain, passThrough, null);
      long listening = System.nanoTime();
      chain.renew(leases.grant(part.leaseSeconds()));
      chain.wire(
          new InstalledChain.Wiring(part, passThrough, partSettings, outlet, ingress, inlet));
      if (inlet != null) {
        // Before the onward connections are ready: the relay before us is waiting for this.
        hops.install(chain.id(), inlet);
      } else {
        hops.remove(chain.id());
      }
      if (outlet instanceof HopOutlet hop) {
        warmUp(hop);
      }
      long warm = System.nanoTime();
      release(before, ingress);
      return documents.installed(
          chain,
          false,
          new SetupTimings(
              millis(started, resolved),
              millis(resolved, listening),
              millis(listening, warm),
              millis(started, warm)));
    } catch (PartRefused | RuntimeException e) {
      outlet.close();
      if (ingress != null) {
        ingress.close();
      }
      hops.remove(chain.id());
      release(before, ingress);
      chain.retire(PartState.REMOVED);
      throw e;
    }
  }

  /**
   * Checks an installed part alone: streams of one that is taken over end with the same refusal.
   */
  private static void checkDestination(EgressOutlet egress) throws PartRefused {
    AddressRefusal obstacle = egress.obstacle();
    if (obstacle != null) {
      throw new PartRefused(PartRefused.Kind.DESTINATION_NOT_ALLOWED, obstacle.text());
    }
  }

  private void warmUp(HopOutlet outlet) throws PartRefused {
    Duration timeout = settings.installTimeout();
    CompletableFuture<Void> ready = outlet.warmUp(System.nanoTime() + timeout.toNanos());
    try {
      ready.get(2 * timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new PartRefused(
          PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
          "the next relay does not take the chain: " + reason(e));
    } catch (TimeoutException e) {
      throw new PartRefused(
          PartRefused.Kind.NEXT_RELAY_UNREACHABLE,
          "the next relay did not answer in time: " + outlet.target());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PartRefused(PartRefused.Kind.DRAINING, "this relay is shutting down");
    }
  }

  /**
   * Installs a part as another process has left it. Its ingress port accepts nothing yet.
   *
   * @param descriptor of the listening socket; null where the chain does not listen
   * @throws PartRefused when this process cannot install it
   */
  void inherit(ChainSnapshot snapshot, @Nullable Integer descriptor) throws PartRefused {
    PassThrough passThrough = PassThrough.of(snapshot.part());
    Lease lease = leases.inherit(snapshot.leaseLeft(), snapshot.sinceContact());
    InstalledChain chain =
        registry.claim(snapshot.chain(), each -> new InstalledChain(each, lease, admission::ended));
    try {
      inherit(chain, snapshot, passThrough, descriptor);
    } finally {
      registry.release(chain);
    }
  }

  private void inherit(
      InstalledChain chain,
      ChainSnapshot snapshot,
      PassThrough passThrough,
      @Nullable Integer descriptor)
      throws PartRefused {
    ChainPart part = snapshot.part();
    PartSettings partSettings = ends.settings(part, passThrough);
    Outlet outlet = ends.outlet(chain.id(), passThrough, partSettings, snapshot.hopCounter());
    IngressListener ingress = null;
    if (descriptor != null) {
      try {
        ingress = ends.adopt(chain, descriptor, partSettings.streams().inlet().tuning());
      } catch (IOException e) {
        outlet.close();
        throw new PartRefused(PartRefused.Kind.PORT_TAKEN, String.valueOf(e.getMessage()));
      }
    }
    HopInlet inlet = ends.inlet(chain, passThrough, snapshot.seen());
    chain.wire(new InstalledChain.Wiring(part, passThrough, partSettings, outlet, ingress, inlet));
    if (inlet != null) {
      hops.install(chain.id(), inlet);
    }
    if (outlet instanceof HopOutlet hop) {
      // Nobody waits for these: a stream that comes earlier dials for itself.
      CompletableFuture<Void> _ =
          hop.warmUp(System.nanoTime() + settings.installTimeout().toNanos());
    }
  }

  /**
   * Retires a part: it takes no more streams, and is forgotten with its last one. The caller holds
   * the chain's lock.
   */
  void retire(InstalledChain chain, PartState state) {
    InstalledChain.Wiring wiring = chain.wiring();
    if (wiring != null) {
      chain.retire(state);
      hops.remove(chain.id());
      release(wiring, null);
    }
    registry.forgetIfIdle(chain);
  }

  /** Closes the ends that new streams used before; {@code kept} is used on. */
  private static void release(
      InstalledChain.@Nullable Wiring before, @Nullable IngressListener kept) {
    if (before == null) {
      return;
    }
    before.outlet().close();
    if (before.ingress() != null && before.ingress() != kept) {
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
