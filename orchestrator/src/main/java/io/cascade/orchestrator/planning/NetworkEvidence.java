package io.cascade.orchestrator.planning;

import io.cascade.api.HostPort;
import io.cascade.model.planning.LearnedCorrection;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.orchestrator.links.MeasuredLink;
import io.cascade.orchestrator.links.Transfers;
import java.util.List;

/** Records of the orchestrator on relays, links and ways to destinations. */
interface NetworkEvidence {
  /** All measured links between relays. */
  List<MeasuredLink> links();

  /** Evidence of streams on the way from a relay to a destination. */
  Transfers transfers(String relay, HostPort destination);

  /**
   * Evidence of a client's transfers on the path from its address.
   *
   * @param to a destination as HOST:PORT, or a relay's name
   */
  Transfers fromClient(String client, String to);

  /** Correction that outcomes of chains have taught of a link, for one congestion control. */
  LearnedCorrection learned(MeasuredLink link, CongestionControl control);

  /** Capacity that open chains were promised, as of now. */
  PromisedCapacity promised();
}
