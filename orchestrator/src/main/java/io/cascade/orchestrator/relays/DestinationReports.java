package io.cascade.orchestrator.relays;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.DestinationUse;

/** Receives where streams of relays' proxies go directly. */
public interface DestinationReports {

  /** A relay has said what went there since it last said so. */
  void direct(String relay, HostPort destination, DestinationUse use);
}
