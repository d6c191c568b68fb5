package io.cascade.relay.control;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import java.net.UnknownHostException;

/** Measures how long it takes to connect to a host and port. Blocks meanwhile. */
@FunctionalInterface
public interface DestinationProbe {

  /**
   * @throws UnknownHostException if the name does not resolve here
   */
  ProbeReport probe(ProbeRequest request) throws UnknownHostException;
}
