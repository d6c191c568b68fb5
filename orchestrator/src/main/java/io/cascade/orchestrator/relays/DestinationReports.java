package io.cascade.orchestrator.relays;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.DestinationUse;

/** Receiver of relays' reports on direct streams of their proxies. */
public interface DestinationReports {

  /** A relay has reported the traffic to a destination since its last report. */
  void direct(String relay, HostPort destination, DestinationUse use);
}
