package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.PlanRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * What each client asked last about each destination, with what it had measured: the {@value #MOST}
 * that were asked last.
 */
@Component
public class ClientQuestions {
  static final int MOST = 1_000;

  private final Map<Way, PlanRequest> latest = BoundedMap.ofLatestUsed(MOST);

  private record Way(String client, String destination) {}

  /** A client has asked. What says nothing of where the traffic starts is not remembered. */
  synchronized void asked(String client, PlanRequest request) {
    if (request.source() != null) {
      latest.put(way(client, request.destination()), request);
    }
  }

  /** The latest question of a client about a destination. */
  public synchronized Optional<PlanRequest> find(String client, String destination) {
    return Optional.ofNullable(latest.get(way(client, destination)));
  }

  private static Way way(String client, String destination) {
    return new Way(client, Destinations.parse(destination).toString());
  }
}
