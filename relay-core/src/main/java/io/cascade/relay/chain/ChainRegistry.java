package io.cascade.relay.chain;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chains that have a part at this relay, or streams that still run; their number is bounded.
 * Thread-safe.
 *
 * <p>A caller that installs a part {@linkplain #claim claims} its chain meanwhile. A chain is
 * forgotten when no caller claims it, it takes no streams and none of its streams runs.
 */
final class ChainRegistry {
  private final Map<UUID, InstalledChain> chains = new ConcurrentHashMap<>();
  private final int mostChains;
  private final Consumer<UUID> forgotten;
  private final Semaphore slots;
  private volatile Serving serving = Serving.OPEN;

  /** Whether new parts and streams are accepted. */
  enum Serving {
    OPEN,
    /** Another process is taking over; if that fails, this one resumes. */
    PAUSED,
    /** The relay is stopping. */
    DRAINING
  }

  /** Makes the entry of a chain that is not registered yet. */
  @FunctionalInterface
  interface Factory {
    InstalledChain create(UUID id);
  }

  /**
   * @param forgotten receives each chain that is removed from the registry
   */
  ChainRegistry(int mostChains, Consumer<UUID> forgotten) {
    this.forgotten = forgotten;
    this.mostChains = mostChains;
    this.slots = new Semaphore(mostChains);
  }

  Serving serving() {
    return serving;
  }

  /** Changes whether parts and streams are accepted. Draining is final. */
  synchronized void move(Serving to) {
    if (serving != Serving.DRAINING) {
      serving = to;
    }
  }

  /**
   * Refuses parts while the relay drains or hands over.
   *
   * @throws PartRefused unless new parts are accepted
   */
  void checkServing() throws PartRefused {
    switch (serving) {
      case OPEN -> {}
      case PAUSED ->
          throw new PartRefused(
              PartRefused.Kind.DRAINING,
              "this relay is handing over to another process; try again");
      case DRAINING ->
          throw new PartRefused(PartRefused.Kind.DRAINING, "this relay is shutting down");
    }
  }

  /**
   * Returns a chain's entry; a new one takes one of the bounded slots. The entry stays until {@link
   * #release}.
   *
   * @throws PartRefused when all slots are taken
   */
  InstalledChain claim(UUID id, Factory factory) throws PartRefused {
    InstalledChain claimed =
        chains.compute(
            id,
            (_, there) -> {
              InstalledChain chain =
                  there == null && slots.tryAcquire() ? factory.create(id) : there;
              if (chain != null) {
                chain.claim();
              }
              return chain;
            });
    if (claimed == null) {
      throw new PartRefused(
          PartRefused.Kind.LIMIT, "this relay holds " + mostChains + " chains, the most it may");
    }
    return claimed;
  }

  /** Releases a claim; the chain is forgotten if it is idle. */
  void release(InstalledChain chain) {
    chain.unclaim();
    forgetIfIdle(chain);
  }

  /** Forgets a chain that no caller claims, that takes no streams and has none. */
  void forgetIfIdle(InstalledChain chain) {
    chains.computeIfPresent(
        chain.id(),
        (_, there) -> {
          if (there != chain || !chain.isIdle()) {
            return there;
          }
          slots.release();
          forgotten.accept(chain.id());
          return null;
        });
  }

  @Nullable InstalledChain get(UUID id) {
    return chains.get(id);
  }

  /** All chains, in any order; may change while being read. */
  Collection<InstalledChain> all() {
    return chains.values();
  }
}
