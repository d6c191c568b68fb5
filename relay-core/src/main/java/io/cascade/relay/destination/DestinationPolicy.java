package io.cascade.relay.destination;

import io.cascade.relay.destination.SpecialAddresses.Scope;
import io.cascade.relay.destination.SpecialAddresses.Special;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides where this relay may connect for chains, probes, proxies and hops.
 *
 * <p>Hops reach public and private addresses without a rule, since no byte of a stream is sent
 * there before both ends have proved that they hold the hop's key. But the address is claimed by
 * another relay. So link-local, metadata, multicast and similar addresses need a rule that names a
 * block, and so does loopback unless this relay is on loopback itself.
 *
 * <p>No connection is made to a port on which this relay itself listens. Chains and probes reach
 * public addresses without a rule. Private addresses need a rule that names a block within their
 * own, or the host's name. Loopback, link-local, metadata, multicast and similar addresses need a
 * rule that names a block, since the owner of a name could make it resolve to them. Proxies need a
 * rule for public addresses, too.
 */
public final class DestinationPolicy {
  private final DestinationRules rules;
  private final boolean opensLoopback;
  private final OwnPorts own;

  /**
   * @param opensLoopback whether chains and probes may reach loopback without a rule; true for a
   *     relay that only this machine can reach
   */
  public DestinationPolicy(DestinationRules rules, boolean opensLoopback, OwnPorts own) {
    this.rules = rules;
    this.opensLoopback = opensLoopback;
    this.own = own;
  }

  /**
   * Returns the rule for chains that end here and for probes.
   *
   * @param host as the chain names it, before it is resolved
   * @param guarded whether a proxy's client named it, which may be on another machine
   */
  public AddressRule chain(String host, boolean guarded) {
    return (address, port) -> chain(host, address, port, guarded);
  }

  /** Returns the rule for hops to the next relay. */
  public AddressRule hop() {
    return this::hop;
  }

  private @Nullable AddressRefusal hop(InetAddress address, int port) {
    if (own.contain(address, port)) {
      return opensLoopback ? null : ownPort(address, port);
    }
    @Nullable Special special = SpecialAddresses.of(address).orElse(null);
    if (special == null
        || special.scope() == Scope.PRIVATE
        || (special.scope() == Scope.LOOPBACK && (opensLoopback || own.areOnLoopback()))
        || rules.namesBlock(address, port, special.block())) {
      return null;
    }
    return AddressRefusal.openedByRule(address, port, special.words());
  }

  /**
   * Returns the rule for streams that a proxy of this relay sends to their destination directly.
   */
  public AddressRule proxy(String host) {
    return (address, port) -> proxy(host, address, port);
  }

  private @Nullable AddressRefusal chain(
      String host, InetAddress address, int port, boolean guarded) {
    if (own.contain(address, port)) {
      return ownPort(address, port);
    }
    @Nullable Special special = SpecialAddresses.of(address).orElse(null);
    if (special == null || rules.namesBlock(address, port, special.block())) {
      return null;
    }
    boolean open =
        switch (special.scope()) {
          case LOOPBACK -> opensLoopback && !guarded;
          case SURROUNDINGS -> false;
          case PRIVATE -> rules.namesHost(host, port);
        };
    return open ? null : AddressRefusal.openedByRule(address, port, special.words());
  }

  private @Nullable AddressRefusal proxy(String host, InetAddress address, int port) {
    if (own.contain(address, port)) {
      return ownPort(address, port);
    }
    if (!rules.matchesName(host, port) && !rules.matchesAddress(address, port)) {
      return AddressRefusal.openedByRule(address, port, "no allowed destination of this proxy");
    }
    @Nullable Special special = SpecialAddresses.of(address).orElse(null);
    if (special == null
        || special.scope() == Scope.PRIVATE
        || rules.namesBlock(address, port, special.block())) {
      return null;
    }
    return AddressRefusal.openedByRule(address, port, special.words());
  }

  private static AddressRefusal ownPort(InetAddress address, int port) {
    return AddressRefusal.notOpened(address, port, "a port of this relay itself");
  }
}
