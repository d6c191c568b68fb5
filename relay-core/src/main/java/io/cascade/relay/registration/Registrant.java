package io.cascade.relay.registration;

import io.cascade.api.identity.RelaySigner;
import io.cascade.api.orchestrator.RelayLimits;
import io.cascade.api.orchestrator.RelayPeer;
import io.cascade.api.orchestrator.RelayRegistration;
import io.cascade.relay.destination.DestinationUses;
import io.cascade.relay.probe.LinkReport;
import java.time.Duration;
import java.util.List;

/** The relay that registers. Calls come from the registration's thread and must not block long. */
public interface Registrant {

  /** The relay's registration, not yet signed. */
  RelayRegistration registration();

  /** Signs the relay's messages. */
  RelaySigner signer();

  long runningStreams();

  /** Stream bytes that the relay holds now. */
  long heldBytes();

  /** The relay's limits now. */
  RelayLimits limits();

  /** Measurements since the last report that was delivered. */
  LinkReport links();

  /** Uses of destinations to which streams of proxies' clients went directly. */
  DestinationUses destinations();

  /**
   * Notes an answer of the orchestrator, which names the relays to measure the links to.
   *
   * @param leastBetween two probes to one of them, on average; zero for as often as is usual
   */
  void peers(List<RelayPeer> peers, Duration leastBetween);

  /**
   * Ends the relay: a later start of it has its name, as the answer to its first registration says.
   * Registration has ended for good.
   *
   * @param reason in the orchestrator's words
   */
  void replaced(String reason);
}
