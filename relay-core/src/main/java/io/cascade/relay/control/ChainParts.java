package io.cascade.relay.control;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.InstalledPart;
import io.cascade.api.relay.LeaseRenewal;
import io.cascade.api.relay.LeaseRenewed;
import io.cascade.api.relay.Limits;
import io.cascade.api.relay.PartStatus;
import io.cascade.api.relay.RelayHealth;
import io.cascade.api.relay.StreamReport;
import io.cascade.relay.chain.PartRefused;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The data plane as the control endpoint needs it. Calls come from virtual threads and may block;
 * several may run at once, also for one chain.
 */
public interface ChainParts {

  /**
   * Installs a part or renews the one that is there. Returns when it is ready.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   */
  InstalledPart install(UUID chain, ChainPart part, long epoch) throws PartRefused;

  /** Describes a part, or its streams; empty where no such part is installed. */
  Optional<PartStatus> status(UUID chain);

  List<PartStatus> list();

  /** Describes a part, or its streams; empty where no such part is installed. */
  Optional<List<StreamReport>> streams(UUID chain);

  /**
   * Removes a part, or does nothing where there is none.
   *
   * @param abort resets running streams instead of letting them finish
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @param revision greatest revision that it means
   * @throws PartRefused where it is not to be removed
   */
  void remove(UUID chain, boolean abort, long epoch, long revision) throws PartRefused;

  /**
   * Renews leases.
   *
   * @param epoch of the orchestrator that asks for it; 0 where it names none
   * @throws PartRefused where another one leads now
   */
  LeaseRenewed renew(LeaseRenewal renewal, long epoch) throws PartRefused;

  /** The relay's limits. */
  Limits limits();

  /**
   * Changes limits; what is null stays as it is.
   *
   * @return the limits from now on
   * @throws LimitsRefused when the relay cannot keep them; then nothing is changed
   */
  Limits change(Limits wanted) throws LimitsRefused;

  RelayHealth health();
}
