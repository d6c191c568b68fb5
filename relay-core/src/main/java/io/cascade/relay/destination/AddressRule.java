package io.cascade.relay.destination;

import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Says which addresses may be connected to. Judges addresses and never names: the owner of a name
 * decides what it resolves to, and may decide otherwise at every look-up.
 */
@FunctionalInterface
public interface AddressRule {
  /** Null where the address may be connected to. */
  @Nullable AddressRefusal refusal(InetAddress address, int port);

  default boolean allows(InetAddress address, int port) {
    return refusal(address, port) == null;
  }
}
