package io.cascade.relay.chain;

import io.cascade.relay.hop.ReplayWindowState;
import io.cascade.relay.ingress.IngressListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Hands the chains of this process to another process of the same relay. Calls block. */
final class ChainHandover {
  private final ChainRegistry registry;
  private final Leases leases;

  ChainHandover(ChainRegistry registry, Leases leases) {
    this.registry = registry;
    this.leases = leases;
  }

  /** Leaves connections to ingress ports in the kernel's queue and refuses new parts. */
  void pause() {
    registry.move(ChainRegistry.Serving.PAUSED);
    accept(false);
  }

  /** Accepts connections and parts again. */
  void resume() {
    accept(true);
    registry.move(ChainRegistry.Serving.OPEN);
  }

  private void accept(boolean on) {
    for (InstalledChain chain : registry.all()) {
      InstalledChain.Wiring wiring = chain.wiring();
      if (wiring != null && wiring.ingress() != null) {
        wiring.ingress().accept(on);
      }
    }
  }

  /**
   * Describes all chains that take streams. Called while paused, so that counters no longer change.
   */
  ChainTable.Snapshots snapshots() {
    List<ChainSnapshot> snapshots = new ArrayList<>();
    List<Integer> descriptors = new ArrayList<>();
    for (InstalledChain chain : registry.all()) {
      InstalledChain.Wiring wiring = chain.wiring();
      if (wiring == null || !chain.takesStreams()) {
        continue;
      }
      IngressListener ingress = wiring.ingress();
      Map<String, Long> used = new HashMap<>();
      Map<String, ReplayWindowState> seen = new HashMap<>();
      for (WiredPassage each : wiring.passages()) {
        each.hops().forEach(hop -> used.put(PartPassage.text(hop.hop()), hop.successorsCounter()));
        each.receivers().forEach(from -> seen.put(PartPassage.text(from.hop()), from.seen()));
      }
      snapshots.add(
          new ChainSnapshot(
              chain.id(),
              wiring.part(),
              leases.left(chain.lease()),
              leases.sinceContact(chain.lease()),
              ingress != null,
              used,
              seen));
      if (ingress != null) {
        descriptors.add(ingress.descriptor());
      }
    }
    return new ChainTable.Snapshots(snapshots, descriptors);
  }
}
