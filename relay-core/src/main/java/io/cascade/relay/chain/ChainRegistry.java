package io.cascade.relay.chain;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The chains that have a part here, or streams that still run: a bounded number. Thread-safe.
 *
 * <p>Whoever installs a part {@linkplain #claim claims} its chain meanwhile. A chain is forgotten
 * when nobody claims it, it takes no streams and none runs.
 */
final class ChainRegistry {
  private final Map<UUID, InstalledChain> chains = new ConcurrentHashMap<>();
  private final int mostChains;
  private final Consumer<UUID> forgotten;
  private final Semaphore slots;
  private volatile Serving serving = Serving.OPEN;

  /** Whether new parts and streams are taken. */
  enum Serving {
    OPEN,
    /** Another process is taking over; this one may have to go on. */
    PAUSED,
    /** The relay is stopping. */
    DRAINING
  }

  /** Makes the entry of a chain that is not there yet. */
  @FunctionalInterface
  interface Factory {
    InstalledChain create(UUID id);
  }

  /**
   * @param forgotten is told of each chain that is here no more
   */
  ChainRegistry(int mostChains, Consumer<UUID> forgotten) {
    this.forgotten = forgotten;
    this.mostChains = mostChains;
    this.slots = new Semaphore(mostChains);
  }

  Serving serving() {
    return serving;
  }

  /** Changes whether parts and streams are taken. A relay that drains does so for good. */
  synchronized void move(Serving to) {
    if (serving != Serving.DRAINING) {
      serving = to;
    }
  }

  /**
   * Refuses while the relay drains or hands over.
   *
   * @throws PartRefused unless new parts are taken
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
   * Returns a chain's entry, which takes one of the bounded slots where it is new. It is not
   * forgotten before {@link #release}.
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

  /** Gives a claim back; the chain is forgotten where nothing holds it any more. */
  void release(InstalledChain chain) {
    chain.unclaim();
    forgetIfIdle(chain);
  }

  /** Forgets a chain that nobody claims, that takes no streams and has none. */
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

  /** All chains, in any order; may change meanwhile. */
  Collection<InstalledChain> all() {
    return chains.values();
  }
}
