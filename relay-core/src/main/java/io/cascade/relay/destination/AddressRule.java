package io.cascade.relay.destination;

import io.cascade.command.names.NamedPeer;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
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

  /**
   * Leaves out the addresses that may not be connected to.
   *
   * @throws AddressRefused where none is left
   */
  default NamedPeer allowed(NamedPeer peer) throws AddressRefused {
    List<InetAddress> allowed = new ArrayList<>();
    AddressRefusal first = null;
    for (InetAddress address : peer.addresses()) {
      AddressRefusal refusal = refusal(address, peer.port());
      if (refusal == null) {
        allowed.add(address);
      } else {
        first = first == null ? refusal : first;
      }
    }
    if (allowed.isEmpty() && first != null) {
      throw new AddressRefused(first);
    }
    return new NamedPeer(allowed, peer.port());
  }
}
