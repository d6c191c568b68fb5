package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.StreamReport;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The relay's parts of chains, as the control endpoint installs and removes them. Calls may block,
 * and several may run at once, also for one chain.
 */
public interface ChainParts {

  /**
   * Installs a part, or renews it when the same is here already. Returns when it is ready.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @throws PartRefused when it cannot be installed; nothing of it is left then, and of a part that
   *     is stale nothing was touched
   */
  InstalledPart install(UUID chain, ChainPart part, long epoch) throws PartRefused;

  /**
   * Hears of the epoch of an orchestrator whose call is about no part.
   *
   * @throws PartRefused where another orchestrator leads now
   */
  void hear(long epoch) throws PartRefused;

  /** Describes a part; empty where no such part is installed. */
  Optional<PartStatus> status(UUID chain);

  List<PartStatus> list();

  /** Describes the streams of a part; empty where no such part is installed. */
  Optional<List<StreamReport>> streams(UUID chain);

  /**
   * Has a part take no more streams and removes it; does nothing where there is none. An
   * installation that waits for next relays waits no longer and is refused.
   *
   * @param abort resets running streams instead of letting them finish
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @param revision greatest revision that it means
   * @throws PartRefused where another orchestrator leads now, or a later revision is installed
   */
  void remove(UUID chain, boolean abort, long epoch, long revision) throws PartRefused;

  /**
   * Extends the leases of parts, also of those whose lease has run out. Parts that take no streams
   * are named as unknown.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @throws PartRefused where another orchestrator leads now
   */
  LeaseRenewed renew(LeaseRenewal renewal, long epoch) throws PartRefused;
}
