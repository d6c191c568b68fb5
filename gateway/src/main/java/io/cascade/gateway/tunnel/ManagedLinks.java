package io.cascade.gateway.tunnel;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayLinkOrder;
import io.cascade.command.CommandException;
import io.cascade.packets.forward.Forwarder;
import io.cascade.packets.forward.RouteTable;
import io.cascade.packets.header.IpPrefix;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The links that the orchestrator has ordered, beside those of the command line. A link is not
 * touched while its peer, address and key stay the same. Used by one thread.
 */
final class ManagedLinks {
  private static final Logger LOG = Logger.getLogger(ManagedLinks.class.getName());

  private final Gateway gateway;
  private Map<String, GatewayLinkOrder> installed = Map.of();
  private boolean isRouted = true;

  ManagedLinks(Gateway gateway) {
    this.gateway = gateway;
  }

  /** Makes the links match the orders. One that cannot be created is left out and logged. */
  void become(List<GatewayLinkOrder> orders) {
    Map<String, GatewayLinkOrder> wanted = new LinkedHashMap<>();
    Map<String, List<IpPrefix>> prefixes = new LinkedHashMap<>();
    for (GatewayLinkOrder order : orders) {
      try {
        prefixes.put(order.peer(), checked(order, wanted.values()));
        wanted.put(order.peer(), order);
      } catch (IllegalArgumentException | CommandException e) {
        if (!installed.containsKey(order.peer())) {
          LOG.log(Level.WARNING, "link to {0}: {1}", new Object[] {order.peer(), e.getMessage()});
        }
      }
    }
    if (wanted.equals(installed) && isRouted) {
      return;
    }
    installed.forEach((peer, order) -> {
      if (!isSameLink(order, wanted.get(peer))) {
        gateway.detach(peer);
      }
    });
    wanted.forEach((peer, order) -> {
      if (!isSameLink(order, installed.get(peer))) {
        gateway.attach(link(order), HexFormat.of().parseHex(order.key()));
      }
    });
    installed = wanted;
    isRouted = false; // On failure it is retried with the next answer.
    gateway.route(prefixes);
    isRouted = true;
    LOG.log(Level.INFO, "links by the orchestrator: {0}", installed.keySet());
  }

  private static boolean isSameLink(GatewayLinkOrder order, @Nullable GatewayLinkOrder other) {
    return other != null
        && order.key().equals(other.key())
        && Objects.equals(order.dial(), other.dial());
  }

  /**
   * Checks an order and returns its prefixes.
   *
   * @param others orders that are in force already
   * @throws IllegalArgumentException where the order conflicts with them
   */
  private List<IpPrefix> checked(GatewayLinkOrder order, Collection<GatewayLinkOrder> others) {
    if (!LinkText.NAME.matcher(order.peer()).matches()) {
      throw new IllegalArgumentException("not a name");
    }
    boolean isOwn =
        gateway.settings().links().stream().anyMatch(link -> link.peer().equals(order.peer()));
    if (isOwn) {
      throw new IllegalArgumentException("the command line has one already");
    }
    if (order.dial() == null && gateway.settings().listen() == null) {
      throw new IllegalArgumentException("it would dial, and this gateway does not listen");
    }
    List<IpPrefix> prefixes = prefixes(order);
    for (GatewaySettings.LinkRoute own : gateway.settings().routes()) {
      if (prefixes.contains(own.prefix())) {
        throw new IllegalArgumentException(
            own.prefix() + " is routed elsewhere by the command line already");
      }
    }
    if (gateway.settings().tun() != null) {
      prefixes.forEach(prefix -> KernelForwarding.check(prefix.address()));
    }
    List<GatewayLinkOrder> all = new ArrayList<>(others);
    all.add(order);
    checkAddresses(all);
    return prefixes;
  }

  private static List<IpPrefix> prefixes(GatewayLinkOrder order) {
    return order.prefixes().stream().map(PrefixText::prefix).toList();
  }

  /**
   * Checks that no gateway's address is inside a prefix: datagrams to it would be routed into a
   * tunnel, its own or another one.
   */
  private void checkAddresses(List<GatewayLinkOrder> orders) {
    RouteTable routes = routes(orders);
    List<LinkSettings> links = new ArrayList<>(gateway.settings().links());
    orders.forEach(order -> links.add(link(order)));
    for (LinkSettings link : links) {
      link.loop(routes)
          .ifPresent(loop -> {
            throw new IllegalArgumentException(
                "the address %s of %s is inside %s: its datagrams would be sent into the tunnel"
                    .formatted(loop.address(), link.peer(), loop.prefix()));
          });
    }
  }

  /** The command line's routes, and those of orders. */
  private RouteTable routes(List<GatewayLinkOrder> orders) {
    List<RouteTable.Entry> entries = new ArrayList<>();
    gateway.settings().routes().forEach(own -> entries.add(own.entry()));
    int link = Forwarder.LOCAL + 1;
    for (GatewayLinkOrder order : orders) {
      prefixes(order).forEach(prefix -> entries.add(new RouteTable.Entry(prefix, link)));
    }
    return new RouteTable(entries);
  }

  private static LinkSettings link(GatewayLinkOrder order) {
    Endpoint dial = order.dial();
    InetSocketAddress remote =
        dial == null ? null : LinkText.socket(dial.host() + ":" + dial.port());
    return new LinkSettings(order.peer(), remote, null);
  }
}
