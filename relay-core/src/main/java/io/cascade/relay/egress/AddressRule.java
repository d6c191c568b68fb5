package io.cascade.relay.egress;

import java.net.InetAddress;

/**
 * Which addresses may be connected to. Asked of addresses and never of names: what a name resolves
 * to is its owner's choice, and another one at every look.
 */
@FunctionalInterface
public interface AddressRule {
  /** For chains that the orchestrator opened to where its caller said. */
  AddressRule ANY = (_, _) -> true;

  boolean allows(InetAddress address, int port);
}
