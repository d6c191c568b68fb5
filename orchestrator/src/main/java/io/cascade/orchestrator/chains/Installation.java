package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.contract.HopAddresses;
import io.cascade.contract.RouteHops;
import io.cascade.contract.RouteHops.RouteHop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parts that were installed on relays.
 *
 * @param keys of the hops between relays, by the hops' addresses as text
 * @param askedPort the ingress port that was last asked for. A relay keeps its listener only while
 *     the same port is asked for again, including 0.
 * @param ingress where applications connect; null until it is known
 * @param proxied whether streams come from the first relay's SOCKS5 and CONNECT clients, in which
 *     case there is no ingress port
 * @param revision counts the chain's installations, so that relays can tell older ones
 * @param ingressKey the key of coded sessions of the chain's client; null if it uses none. Constant
 *     for the chain's life: its sessions agree on fresh keys, so recorded packets cannot be
 *     replayed to a relay that has restarted.
 */
record Installation(
    RouteHops route,
    Map<String, String> keys,
    int askedPort,
    @Nullable Endpoint ingress,
    boolean proxied,
    long revision,
    @Nullable String ingressKey) {

  Installation {
    keys = Collections.unmodifiableMap(new LinkedHashMap<>(keys));
    Set<String> expected =
        route.joiningRelays().stream()
            .map(hop -> HopAddresses.text(hop.address()))
            .collect(Collectors.toSet());
    if (!keys.keySet().equals(expected)) {
      throw new IllegalArgumentException(
          "keys of " + keys.keySet() + " (expected: of " + expected + ")");
    }
  }

  /**
   * Creates an installation of a route with fresh keys.
   *
   * @param tls whether the hops between relays are encrypted
   */
  static Installation on(
      long revision,
      RelayPipes relays,
      boolean tls,
      int askedPort,
      boolean proxied,
      HopKeys fresh) {
    RouteHops route = relays.route(tls);
    Map<String, String> keys = new LinkedHashMap<>();
    for (RouteHop hop : route.joiningRelays()) {
      keys.put(HopAddresses.text(hop.address()), fresh.next());
    }
    return new Installation(route, keys, askedPort, null, proxied, revision, null);
  }

  /** The same, for a client that may also use coded sessions. */
  Installation openedTo(String key) {
    return new Installation(route, keys, askedPort, ingress, proxied, revision, key);
  }

  /** The key of a hop between relays. */
  String key(HopAddress hop) {
    return Objects.requireNonNull(keys.get(HopAddresses.text(hop)));
  }

  Installation reachedAt(Endpoint address) {
    return new Installation(route, keys, askedPort, address, proxied, revision, ingressKey);
  }

  /**
   * Renews an installation for relays that lost their parts: every hop that begins or ends at one
   * of them gets another key. A relay that has lost its record of seen headers would accept a
   * replayed one; under a fresh key replay is impossible. An ingress that lost its part opens the
   * port that applications know.
   */
  Installation again(Collection<String> lost, HopKeys fresh) {
    Map<String, String> renewed = new LinkedHashMap<>(keys);
    for (RouteHop hop : route.joiningRelays()) {
      if (lost.contains(hop.from()) || lost.contains(hop.to())) {
        renewed.put(HopAddresses.text(hop.address()), fresh.next());
      }
    }
    int port = ingress != null && lost.contains(route.firstRelay()) ? ingress.port() : askedPort;
    return new Installation(route, renewed, port, ingress, proxied, revision + 1, ingressKey);
  }

  /** The same installation with the same keys under a new revision. */
  Installation repeated() {
    return new Installation(route, keys, askedPort, ingress, proxied, revision + 1, ingressKey);
  }

  /**
   * Moves the chain to other relays, with the same ingress and port, which applications know. Pipes
   * that do not change keep their keys, so that their streams continue.
   */
  Installation around(RelayPipes others, boolean encrypted, HopKeys fresh) {
    int port = ingress == null ? askedPort : ingress.port();
    Installation renewed = on(revision + 1, others, encrypted, port, proxied, fresh);
    Map<String, String> kept = new LinkedHashMap<>(renewed.keys);
    if (others.framed()) {
      kept.replaceAll(
          (hop, key) -> renewed.staysFrom(route, hop) ? keys.getOrDefault(hop, key) : key);
    }
    Installation other =
        new Installation(renewed.route, kept, port, null, proxied, renewed.revision, ingressKey);
    return ingress == null ? other : other.reachedAt(ingress);
  }

  /** Whether the hop's pipe has the same relays in another route. */
  private boolean staysFrom(RouteHops other, String hop) {
    HopAddress address = HopAddresses.parse(hop);
    return route.pipe(address).equals(other.pipe(address));
  }

  /** The relays that lost their parts and their neighbours, whose keys change as well. */
  List<String> touchedBy(Collection<String> lost) {
    List<String> touched = new ArrayList<>(route.relays());
    touched.removeIf(
        relay -> !lost.contains(relay) && Collections.disjoint(lost, route.neighbours(relay)));
    return touched;
  }

  /** Leaves out the keys. */
  @Override
  public String toString() {
    return "Installation[" + String.join(", ", route.relays()) + ", ingress=" + ingress + "]";
  }
}
