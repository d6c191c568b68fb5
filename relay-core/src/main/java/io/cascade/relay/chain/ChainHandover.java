package io.cascade.relay.chain;

import io.cascade.relay.hop.HopInlet;
import io.cascade.relay.hop.HopOutlet;
import io.cascade.relay.ingress.IngressListener;
import java.util.ArrayList;
import java.util.List;

/** Hands the chains of this process to another one of the same relay. Calls block. */
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

  /** Describes all chains that take streams. While paused, so that no counter is used any more. */
  ChainTable.Snapshots snapshots() {
    List<ChainSnapshot> snapshots = new ArrayList<>();
    List<Integer> descriptors = new ArrayList<>();
    for (InstalledChain chain : registry.all()) {
      InstalledChain.Wiring wiring = chain.wiring();
      if (wiring == null || !chain.takesStreams()) {
        continue;
      }
      IngressListener ingress = wiring.ingress();
      HopInlet inlet = wiring.inlet();
      snapshots.add(
          new ChainSnapshot(
              chain.id(),
              wiring.part(),
              leases.left(chain.lease()),
              leases.sinceContact(chain.lease()),
              ingress != null,
              wiring.outlet() instanceof HopOutlet hop ? hop.successorsCounter() : 0,
              inlet == null ? null : inlet.seen()));
      if (ingress != null) {
        descriptors.add(ingress.descriptor());
      }
    }
    return new ChainTable.Snapshots(snapshots, descriptors);
  }
}
