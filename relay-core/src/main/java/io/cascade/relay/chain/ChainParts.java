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
 * The relay's parts of chains, as the control endpoint installs and removes them. Calls may block.
 * Several may run at once, also for one chain.
 */
public interface ChainParts {

  /**
   * Installs a part, or renews it if the same part is already installed. Returns when it is ready.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @throws PartRefused when it cannot be installed; then the relay holds nothing of it. A stale
   *     part changes nothing
   */
  InstalledPart install(UUID chain, ChainPart part, long epoch) throws PartRefused;

  /**
   * Records the epoch of an orchestrator whose call concerns no part.
   *
   * @throws PartRefused if another orchestrator leads now
   */
  void hear(long epoch) throws PartRefused;

  /** Describes a part; empty if it is not installed. */
  Optional<PartStatus> status(UUID chain);

  List<PartStatus> list();

  /** Describes the streams of a part; empty if it is not installed. */
  Optional<List<StreamReport>> streams(UUID chain);

  /**
   * Stops a part from taking new streams and removes it; does nothing if it is not installed. An
   * installation that still waits for next relays is refused.
   *
   * @param abort resets running streams instead of letting them finish
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @param revision the greatest revision that may be removed
   * @throws PartRefused if another orchestrator leads now, or a later revision is installed
   */
  void remove(UUID chain, boolean abort, long epoch, long revision) throws PartRefused;

  /**
   * Extends the leases of parts, including expired ones. The answer lists parts that take no
   * streams as unknown.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @throws PartRefused if another orchestrator leads now
   */
  LeaseRenewed renew(LeaseRenewal renewal, long epoch) throws PartRefused;
}
