package io.cascade.orchestrator.gateways;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.api.orchestrator.GatewayLinkOrder;
import io.cascade.api.orchestrator.Tunnel;
import io.cascade.api.orchestrator.TunnelRequest;
import io.cascade.orchestrator.gateways.InstalledTunnel.Span;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.statistics.StateCounts;
import io.cascade.orchestrator.time.Timekeeper;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Tunnels that gateways have to carry. The orchestrator does not call gateways: each fetches its
 * links with its reports, so that gateways need not be reachable.
 */
@Component
class TunnelBook implements StateCounts {
  static final int MOST_TUNNELS = 1_000;
  private static final int KEY_BYTES = 32;

  private final TunnelStore store;
  private final GatewayBook gateways;
  private final Timekeeper time;
  private final SecureRandom random = new SecureRandom();
  private final Map<UUID, InstalledTunnel> tunnels = new LinkedHashMap<>();

  TunnelBook(TunnelStore store, GatewayBook gateways, Timekeeper time) {
    this.store = store;
    this.gateways = gateways;
    this.time = time;
    store.all().forEach(tunnel -> tunnels.put(tunnel.id(), tunnel));
  }

  /**
   * Opens a tunnel.
   *
   * @throws Refusal if the gateways cannot carry it
   */
  Tunnel open(TunnelRequest request) {
    List<KnownGateway> way = request.gateways().stream().map(gateways::known).toList();
    if (new HashSet<>(request.gateways()).size() != way.size()) {
      throw new Refusal(ProblemKind.INVALID_TUNNEL, "gateways: one is named twice");
    }
    for (KnownGateway end : List.of(way.getFirst(), way.getLast())) {
      if (!end.report().tun()) {
        throw new Refusal(
            ProblemKind.INVALID_TUNNEL,
            end.name()
                + " has no TUN device and can only forward between other gateways; fix: start it"
                + " with --tun");
      }
    }
    return document(install(request, way));
  }

  private synchronized InstalledTunnel install(TunnelRequest request, List<KnownGateway> way) {
    if (tunnels.size() >= MOST_TUNNELS) {
      throw new Refusal(
          ProblemKind.LIMIT_REACHED, MOST_TUNNELS + " tunnels are open; fix: close some");
    }
    List<Span> spans = new ArrayList<>();
    for (int i = 0; i + 1 < way.size(); i++) {
      spans.add(span(way.get(i), way.get(i + 1)));
    }
    InstalledTunnel tunnel =
        new InstalledTunnel(
            UUID.randomUUID(),
            request.name(),
            time.now(),
            request.gateways(),
            spans,
            Prefixes.normal(request.fromPrefixes()),
            Prefixes.normal(request.toPrefixes()));
    tunnel.gateways().forEach(gateway -> checkFree(gateway, tunnel));
    store.save(tunnel);
    tunnels.put(tunnel.id(), tunnel);
    return tunnel;
  }

  /** The span between two neighbours, shared with the tunnels that already join them. */
  private Span span(KnownGateway near, KnownGateway far) {
    for (InstalledTunnel tunnel : tunnels.values()) {
      if (tunnel.joins(near.name(), far.name())) {
        return tunnel.span(near.name(), far.name());
      }
    }
    Endpoint farListens = far.report().listen();
    Endpoint nearListens = near.report().listen();
    byte[] bytes = new byte[KEY_BYTES];
    random.nextBytes(bytes);
    String key = HexFormat.of().formatHex(bytes);
    if (farListens != null) {
      return new Span(near.name(), farListens, key);
    }
    if (nearListens != null) {
      return new Span(far.name(), nearListens, key);
    }
    throw new Refusal(
        ProblemKind.INVALID_TUNNEL,
        "neither %s nor %s listens; fix: start one of them with --listen ADDRESS:PORT"
            .formatted(near.name(), far.name()));
  }

  /** Refuses a prefix that already leads to another neighbour of the gateway. */
  private void checkFree(String gateway, InstalledTunnel wanted) {
    for (String neighbour : wanted.neighbours(gateway)) {
      for (InstalledTunnel other : tunnels.values()) {
        for (String elsewhere : other.neighbours(gateway)) {
          for (String prefix : wanted.behind(gateway, neighbour)) {
            if (!elsewhere.equals(neighbour) && other.behind(gateway, elsewhere).contains(prefix)) {
              throw new Refusal(
                  ProblemKind.PREFIX_TAKEN,
                  "%s is routed to %s at %s by tunnel %s; fix: close that tunnel first"
                      .formatted(prefix, elsewhere, gateway, other.id()));
            }
          }
        }
      }
    }
  }

  /** Links that a gateway has to set up. */
  synchronized List<GatewayLinkOrder> links(String gateway) {
    Map<String, Span> spans = new LinkedHashMap<>();
    Map<String, List<String>> prefixes = new LinkedHashMap<>();
    for (InstalledTunnel tunnel : tunnels.values()) {
      for (String neighbour : tunnel.neighbours(gateway)) {
        spans.putIfAbsent(neighbour, tunnel.span(gateway, neighbour));
        prefixes
            .computeIfAbsent(neighbour, _ -> new ArrayList<>())
            .addAll(tunnel.behind(gateway, neighbour));
      }
    }
    List<GatewayLinkOrder> links = new ArrayList<>();
    spans.forEach((neighbour, span) -> {
      Endpoint dial = span.dialler().equals(gateway) ? span.listen() : null;
      List<String> behind =
          Objects.requireNonNull(prefixes.get(neighbour)).stream().distinct().toList();
      links.add(new GatewayLinkOrder(neighbour, dial, span.key(), behind));
    });
    return links;
  }

  synchronized List<InstalledTunnel> all() {
    return List.copyOf(tunnels.values());
  }

  synchronized InstalledTunnel known(UUID id) {
    InstalledTunnel tunnel = tunnels.get(id);
    if (tunnel == null) {
      throw new Refusal(ProblemKind.UNKNOWN_TUNNEL, id + ": no such tunnel");
    }
    return tunnel;
  }

  synchronized void close(UUID id) {
    known(id);
    store.remove(id);
    tunnels.remove(id);
  }

  @Override
  public String name() {
    return "tunnels";
  }

  @Override
  public Map<String, Long> byState() {
    return StateCounts.upOr("down", all(), tunnel -> fault(tunnel) != null);
  }

  Tunnel document(InstalledTunnel tunnel) {
    String fault = fault(tunnel);
    return Tunnel.builder()
        .tunnelId(tunnel.id())
        .name(tunnel.name())
        .openedAt(tunnel.openedAt())
        .gateways(tunnel.gateways())
        .fromPrefixes(tunnel.fromPrefixes())
        .toPrefixes(tunnel.toPrefixes())
        .up(fault == null)
        .words(fault == null ? "up" : fault)
        .build();
  }

  /** Names the first gateway or link that is not up; null if all are up. */
  private @Nullable String fault(InstalledTunnel tunnel) {
    for (String name : tunnel.gateways()) {
      KnownGateway gateway = gateways.find(name).orElse(null);
      if (gateway == null || gateways.isLost(gateway)) {
        return name + " does not report";
      }
      for (String neighbour : tunnel.neighbours(name)) {
        if (!gateway.isUpTo(neighbour)) {
          return "%s has no session with %s".formatted(name, neighbour);
        }
      }
    }
    return null;
  }
}
