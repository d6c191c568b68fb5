package io.cascade.relay.control;

import io.cascade.api.relay.ProbeReport;
import io.cascade.api.relay.ProbeRequest;
import java.net.UnknownHostException;

/** Measures how long a connection to a host and port takes. Blocks while it does. */
@FunctionalInterface
public interface DestinationProbe {

  /**
   * @throws UnknownHostException where the name does not resolve here
   */
  ProbeReport probe(ProbeRequest request) throws UnknownHostException;
}
