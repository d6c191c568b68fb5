package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import java.util.List;

/** What the orchestrator has recorded of relays, links and ways to destinations. */
interface NetworkEvidence {
  /** All measured links between relays. */
  List<MeasuredLink> links();

  /** Evidence of streams from a relay to a destination. */
  Transfers transfers(String relay, HostPort destination);

  /**
   * Evidence of a client's transfers on the path from its address.
   *
   * @param to a destination as HOST:PORT, or name of a relay
   */
  Transfers fromClient(String client, String to);

  /** Correction that outcomes of chains gave for a link and a congestion control. */
  LearnedCorrection learned(MeasuredLink link, CongestionControl control);

  /** Capacity that is promised to open chains at present. */
  PromisedCapacity promised();
}
