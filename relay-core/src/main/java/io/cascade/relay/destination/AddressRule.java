package io.cascade.relay.destination;

import io.cascade.command.names.NamedPeer;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides to which addresses this relay may connect. Rules judge addresses and never names: the
 * owner of a name decides what it resolves to, and may change that between look-ups.
 */
@FunctionalInterface
public interface AddressRule {
  /** Returns the refusal of an address; null if it is allowed. */
  @Nullable AddressRefusal refusal(InetAddress address, int port);

  default boolean allows(InetAddress address, int port) {
    return refusal(address, port) == null;
  }

  /**
   * Removes the addresses that are not allowed.
   *
   * @throws AddressRefused if none is left
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
