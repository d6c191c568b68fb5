package io.cascade.relay.destination;

import io.cascade.relay.destination.SpecialAddresses.Scope;
import io.cascade.relay.destination.SpecialAddresses.Special;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Decides where this relay may connect for chains, probes, proxies and hops.
 *
 * <p>Hops reach public and private addresses without a rule, and no byte of a stream goes there
 * before both ends have proved that they hold the hop's key. The address is what another relay says
 * of itself, though: link-local, metadata, multicast and the like need a rule of a block, and so
 * does loopback unless this relay is on loopback itself.
 *
 * <p>Nobody may connect to a port on which this relay itself listens. Chains and probes reach
 * public addresses without a rule. Private addresses need a rule of a block within their own or of
 * the host's name; loopback, link-local, metadata, multicast and the like need a rule of a block,
 * since a name's owner could lead there. Proxies need a rule for public addresses, too.
 */
public final class DestinationPolicy {
  private final DestinationRules rules;
  private final boolean opensLoopback;
  private final OwnPorts own;

  /**
   * @param opensLoopback whether chains and probes may reach loopback without a rule; for a relay
   *     that only this machine can reach
   */
  public DestinationPolicy(DestinationRules rules, boolean opensLoopback, OwnPorts own) {
    this.rules = rules;
    this.opensLoopback = opensLoopback;
    this.own = own;
  }

  /**
   * The rule for chains that end here and for probes.
   *
   * @param host as the chain names it, before it is resolved
   * @param guarded whether a proxy's client named it, who need not be of this machine
   */
  public AddressRule chain(String host, boolean guarded) {
    return (address, port) -> chain(host, address, port, guarded);
  }

  /** The rule for hops to the next relay. */
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

  /** The rule for streams that a proxy of this relay connects to their destination itself. */
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
      return AddressRefusal.openedByRule(address, port, "no destination of this proxy");
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
