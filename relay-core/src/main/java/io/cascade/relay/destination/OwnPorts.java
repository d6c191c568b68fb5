package io.cascade.relay.destination;

import io.cascade.api.AddressBlock;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * The ports on which this relay listens, at every address that reaches this machine: loopback,
 * those of its interfaces and those of the advertised host, which a NAT may translate.
 */
public final class OwnPorts {
  private final String advertised;
  private final IntPredicate listens;
  private volatile Set<InetAddress> translated = Set.of();

  /**
   * @param advertised host by which peers reach this relay
   * @param listens whether this process listens on a port
   */
  public OwnPorts(String advertised, IntPredicate listens) {
    this.advertised = advertised;
    this.listens = listens;
  }

  /** Resolves the advertised host; blocks. Keeps the previous addresses if that fails. */
  public void resolveAdvertised() {
    try {
      translated = Set.copyOf(List.of(InetAddress.getAllByName(advertised)));
    } catch (UnknownHostException e) {
      // Without an address of the advertised host, the interfaces' addresses alone decide.
    }
  }

  /** Whether peers reach this relay on loopback, as on a host with several relays. */
  boolean areOnLoopback() {
    InetAddress literal = AddressBlock.literal(advertised);
    return advertised.equals("localhost")
        || (literal != null && literal.isLoopbackAddress())
        || translated.stream().anyMatch(InetAddress::isLoopbackAddress);
  }

  boolean contain(InetAddress address, int port) {
    return listens.test(port)
        && (isThisMachine(address) || isThisMachine(EmbeddedIpv4.unwrap(address)));
  }

  private boolean isThisMachine(InetAddress address) {
    if (address.isLoopbackAddress() || address.isAnyLocalAddress()) {
      return true;
    }
    if (translated.contains(address)) {
      return true;
    }
    try {
      return NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true; // unknown, so the safe answer
    }
  }
}
