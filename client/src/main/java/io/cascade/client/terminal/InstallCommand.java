package io.cascade.client.terminal;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Candidate;
import io.cascade.api.orchestrator.CandidateKind;
import io.cascade.api.orchestrator.HopPrediction;
import io.cascade.api.orchestrator.Plan;
import io.cascade.api.orchestrator.RouteShare;
import io.cascade.api.orchestrator.TransportChoice;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Command that installs the result of a plan: its routes together if there are several, otherwise
 * the chosen cascade.
 */
public final class InstallCommand {
  /** Most chains that {@code forward} uses. */
  private static final int MOST_CHAINS = 4;

  /** Port on which the example of {@code forward --help} accepts connections. */
  private static final int ACCEPTING_PORT = 7_500;

  private InstallCommand() {}

  /**
   * @param congestionControl requested for the hops between relays
   * @param transport requested transport
   * @return lines to print; none where the plan chose the direct way
   */
  public static List<String> of(
      Plan plan, @Nullable String congestionControl, @Nullable TransportChoice transport) {
    String control = congestionControl == null ? "" : " --congestion-control " + congestionControl;
    for (Candidate candidate : plan.candidates()) {
      List<RouteShare> routes = candidate.shares();
      if (candidate.kind() == CandidateKind.MULTIPATH && routes != null) {
        return areBetweenTwoRelays(routes)
            ? pipes(plan, routes, control + transportOption(transport))
            : chains(plan, routes);
      }
    }
    return plan.candidates().stream()
        .filter(candidate -> candidate.chosen() && !candidate.relays().isEmpty())
        .findFirst()
        .map(chosen -> cascade(plan, chosen, control, transport))
        .orElse(List.of());
  }

  private static boolean areBetweenTwoRelays(List<RouteShare> routes) {
    Set<String> ends = new HashSet<>();
    for (RouteShare route : routes) {
      List<String> relays = route.relays();
      if (relays.size() < 2) {
        return false;
      }
      ends.add(relays.getFirst() + " " + relays.getLast());
    }
    return ends.size() == 1;
  }

  private static List<String> pipes(Plan plan, List<RouteShare> routes, String options) {
    StringBuilder command = new StringBuilder("  ./cascade open --to ").append(plan.destination());
    routes.forEach(route -> command.append(" --pipe ").append(String.join(",", route.relays())));
    return List.of("To install these routes:", command.append(options).toString());
  }

  /** Builds a command for routes that meet at no relay but at a process on each host. */
  private static List<String> chains(Plan plan, List<RouteShare> routes) {
    List<List<String>> chains =
        routes.stream().map(RouteShare::relays).filter(relays -> !relays.isEmpty()).toList();
    if (chains.size() > MOST_CHAINS) {
      return List.of(
          "These are more chains than ./cascade forward accepts (%d): plan with --paths %d"
              .formatted(MOST_CHAINS, MOST_CHAINS));
    }
    HostPort destination = HostPort.parse(plan.destination());
    HostPort accepting = new HostPort(destination.host(), ACCEPTING_PORT);
    StringBuilder near =
        new StringBuilder(
            "  ./cascade forward --listen %d --to %s --key-file forward.key"
                .formatted(destination.port(), accepting));
    chains.forEach(relays -> near.append(" --via ").append(String.join(",", relays)));
    if (chains.size() == routes.size()) {
      near.append(" --no-direct");
    }
    return List.of(
        "To install these routes, beside the destination and then here:",
        "  ./cascade forward --accept %d --to %s --key-file forward.key"
            .formatted(ACCEPTING_PORT, destination),
        near.toString());
  }

  private static List<String> cascade(
      Plan plan, Candidate chosen, String control, @Nullable TransportChoice transport) {
    StringBuilder command =
        new StringBuilder("  ./cascade open --to ")
            .append(plan.destination())
            .append(" --via ")
            .append(String.join(",", chosen.relays()))
            .append(control);
    boolean coded = transport == TransportChoice.CODED;
    command.append(coded ? transportOption(transport) : "");
    // The first hop leads to the first relay and does not belong to the chain.
    for (int i = 1; i < chosen.hops().size(); i++) {
      List<String> settings = settings(chosen.hops().get(i), !coded);
      if (!settings.isEmpty()) {
        command.append(" --hop %d:%s".formatted(i - 1, String.join(",", settings)));
      }
    }
    return List.of("To install this cascade:", command.toString());
  }

  /** Returns the settings of a hop that differ from its relay's defaults. */
  private static List<String> settings(HopPrediction hop, boolean withTransport) {
    List<String> settings = new ArrayList<>();
    if (hop.usualCongestionControl() != null && hop.congestionControl() != null) {
      settings.add("congestion-control=" + hop.congestionControl());
    }
    if (withTransport && hop.transport() == TransportChoice.CODED) {
      settings.add("transport=coded");
    }
    return settings;
  }

  private static String transportOption(@Nullable TransportChoice transport) {
    return switch (transport) {
      case null -> "";
      case TCP -> " --transport tcp";
      case CODED -> " --transport coded";
      case AUTO -> " --transport auto";
    };
  }
}
