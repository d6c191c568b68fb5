package io.cascade.relay.chain;

import io.cascade.api.orchestrator.CodedHop;
import io.cascade.api.orchestrator.PipeTotals;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.PartState;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamReport;
import io.cascade.carriage.socket.Sockets;
import io.cascade.carriage.tls.HopTls;
import io.cascade.relay.destination.DestinationPolicy;
import io.cascade.relay.hop.HopServer;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.stream.CloseReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parts of chains at this relay. Combines the classes that find them ({@link ChainRegistry}),
 * install them ({@link PartInstaller}), lease them ({@link Leases}), admit their streams ({@link
 * StreamAdmission}) and hand them to another process ({@link ChainHandover}).
 */
public final class ChainTable implements ChainParts {
  private static final int MOST_CHAINS = 1_024;

  private final ChainRegistry registry;
  private final Leases leases;
  private final LeaderEpoch epochs = new LeaderEpoch();
  private final StreamAdmission admission;
  private final PartInstaller installer;
  private final ChainHandover handover;
  private final ChainDocuments documents;

  /**
   * Makes an empty table.
   *
   * @param destinations decides where chains may end
   */
  public ChainTable(
      Sockets sockets,
      HopServer hops,
      HopTls tls,
      MemoryBudget memory,
      ChainSettings settings,
      StreamLimits limits,
      DestinationPolicy destinations,
      RelayClock clock) {
    this.registry = new ChainRegistry(MOST_CHAINS, hops::remove);
    this.leases = new Leases(clock, settings.serveAlone());
    this.documents = new ChainDocuments(leases, settings.advertised());
    this.admission = new StreamAdmission(registry, sockets, memory, settings, limits, clock);
    PartEnds ends =
        new PartEnds(sockets, tls, hops.codedSettings(), destinations, settings, admission);
    this.installer =
        new PartInstaller(registry, leases, epochs, hops, ends, admission, settings, documents);
    this.handover = new ChainHandover(registry, leases);
  }

  /** Admits streams and enforces their limits. */
  public StreamAdmission admission() {
    return admission;
  }

  /** Counts the streams of all chains, and those without a chain. */
  public StreamCounters counters() {
    return admission.counters();
  }

  @Override
  public InstalledPart install(UUID id, ChainPart part, long epoch) throws PartRefused {
    return installer.install(id, part, epoch);
  }

  @Override
  public Optional<PartStatus> status(UUID id) {
    return Optional.ofNullable(registry.get(id))
        .filter(InstalledChain::isVisible)
        .map(documents::status);
  }

  @Override
  public List<PartStatus> list() {
    return registry.all().stream()
        .filter(InstalledChain::isVisible)
        .map(documents::status)
        .toList();
  }

  @Override
  public Optional<List<StreamReport>> streams(UUID id) {
    return Optional.ofNullable(registry.get(id)).map(chain -> chain.streams().reports());
  }

  @Override
  public void remove(UUID id, boolean abort, long epoch, long revision) throws PartRefused {
    epochs.hear(epoch);
    InstalledChain chain = registry.get(id);
    if (chain == null) {
      return;
    }
    chain.removalBegins();
    synchronized (chain) {
      epochs.hear(epoch); // again: the next leader may have called meanwhile
      if (epoch == chain.epoch() && chain.revision() > revision) {
        throw new PartRefused(
            PartRefused.Kind.STALE,
            "revision: " + revision + " (expected: at least " + chain.revision() + ")");
      }
      installer.retire(chain, PartState.REMOVED);
      chain.removed();
      if (abort) {
        chain.streams().running().forEach(s -> s.abort(new CloseReason.Aborted("chain removed")));
      }
    }
  }

  @Override
  public LeaseRenewed renew(LeaseRenewal renewal, long epoch) throws PartRefused {
    epochs.hear(epoch);
    List<UUID> renewed = new ArrayList<>();
    List<UUID> unknown = new ArrayList<>();
    for (UUID chain : renewal.chains()) {
      (renew(chain, renewal.leaseSeconds()) ? renewed : unknown).add(chain);
    }
    return new LeaseRenewed(renewed, unknown);
  }

  private boolean renew(UUID id, int leaseSeconds) {
    InstalledChain chain = registry.get(id);
    if (chain == null || !chain.takesStreams()) {
      return false;
    }
    chain.renew(leases.grant(leaseSeconds));
    return true;
  }

  @Override
  public void hear(long epoch) throws PartRefused {
    epochs.hear(epoch);
  }

  /** Epochs of the orchestrators that call this relay. */
  public LeaderEpoch epochs() {
    return epochs;
  }

  /** Records that the orchestrator has answered this relay: parts without a lease go on serving. */
  public void contacted() {
    leases.contacted();
  }

  /**
   * Retires parts that have served without a lease for the allowed time; their streams finish. Logs
   * when the relay begins to serve without an orchestrator, and when it no longer does.
   */
  public void expireLeases() {
    Lease unattended = null;
    int alone = 0;
    int over = 0;
    for (InstalledChain chain : registry.all()) {
      if (!chain.takesStreams()) {
        continue;
      }
      Lease lease = chain.lease();
      switch (leases.of(lease)) {
        case ATTENDED -> {}
        case UNATTENDED -> {
          unattended = lease;
          alone++;
        }
        case OVER -> {
          synchronized (chain) {
            if (leases.of(chain.lease()) == Leases.State.OVER) {
              installer.retire(chain, PartState.EXPIRED);
              over++;
            }
          }
        }
      }
    }
    leases.report(unattended, alone, over);
  }

  /** Counts the parts that take streams although their lease has expired. */
  public long unattendedChains() {
    return registry.all().stream().filter(leases::isUnattended).count();
  }

  /**
   * Leaves connections to ingress ports in the kernel's queue and refuses new parts, until {@link
   * #resume()} or {@link #drain()}. Blocks.
   */
  public void pause() {
    handover.pause();
  }

  /** Undoes {@link #pause()}. Blocks. */
  public void resume() {
    handover.resume();
  }

  /**
   * State that a successor needs in order to continue.
   *
   * @param descriptors listening sockets of the chains that listen, in the order of the chains
   */
  public record Snapshots(List<ChainSnapshot> chains, List<Integer> descriptors) {}

  /**
   * Describes all chains that take streams. Called while paused, so that counters no longer change.
   */
  public Snapshots snapshots() {
    return handover.snapshots();
  }

  /**
   * Installs a part with the state that another process handed over. It accepts connections after
   * {@link #resume()}.
   *
   * @param descriptor of the listening socket; null where the chain does not listen
   * @throws PartRefused when this process cannot install it
   */
  public void inherit(ChainSnapshot snapshot, @Nullable Integer descriptor) throws PartRefused {
    installer.inherit(snapshot, descriptor);
  }

  /**
   * Refuses new parts and streams from now on. New pipes of streams that this relay reassembles are
   * still accepted.
   */
  public void drain() {
    registry.move(ChainRegistry.Serving.DRAINING);
    installer.awaitNoMoreParts();
    for (InstalledChain chain : registry.all()) {
      synchronized (chain) {
        installer.retire(chain, PartState.REMOVED);
      }
    }
  }

  /** Whether this relay reassembles running streams, for which lost pipes may be dialled again. */
  public boolean combinesStreams() {
    return registry.all().stream().anyMatch(chain -> chain.junction().running() > 0);
  }

  /** Resets every stream that still runs. */
  public void abortAll(String why) {
    counters().streams().forEach(stream -> stream.abort(new CloseReason.Aborted(why)));
  }

  public boolean isDraining() {
    return registry.serving() == ChainRegistry.Serving.DRAINING;
  }

  /** Whether another process is taking over. */
  public boolean isPaused() {
    return registry.serving() == ChainRegistry.Serving.PAUSED;
  }

  /** Whether there is neither a part nor a stream, with or without a chain. */
  public boolean isIdle() {
    return counters().runningStreams() == 0 && registry.all().isEmpty();
  }

  /** Counts the chains that take streams or have running ones. */
  public long installedChains() {
    return registry.all().stream().filter(InstalledChain::isVisible).count();
  }

  /**
   * Sums over one chain's streams at this relay.
   *
   * @param warmConnections ready connections to the next relay
   * @param pipes that begin or end here, by hop
   */
  public record ChainSums(
      UUID chain, int warmConnections, StreamSums streams, List<PipeTotals> pipes) {}

  /** The coded hops that begin here, by chain. */
  public Map<UUID, List<CodedHop>> codedHops() {
    Map<UUID, List<CodedHop>> coded = new HashMap<>();
    for (InstalledChain chain : registry.all()) {
      List<CodedHop> hops = CodedHops.of(chain);
      if (hops != null && chain.isVisible()) {
        coded.put(chain.id(), hops);
      }
    }
    return coded;
  }

  /** Returns the sums of every chain, in any order. */
  public List<ChainSums> sums() {
    return registry.all().stream()
        .filter(InstalledChain::isVisible)
        .map(chain ->
            new ChainSums(
                chain.id(),
                chain.warmConnections(),
                chain.streams().sums(),
                chain.streams().pipes().totals()))
        .toList();
  }

  /** Counts the ready onward connections of all chains. */
  public long warmConnections() {
    return registry.all().stream().mapToLong(InstalledChain::warmConnections).sum();
  }
}
