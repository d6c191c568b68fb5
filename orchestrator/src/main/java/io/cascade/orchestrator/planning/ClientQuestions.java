package io.cascade.orchestrator.planning;

import io.cascade.api.BoundedMap;
import io.cascade.api.orchestrator.PlanRequest;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The last question of each client about each destination, with the client's measurements; the
 * {@value #MOST} most recent.
 */
@Component
public class ClientQuestions {
  static final int MOST = 1_000;

  private final Map<Way, PlanRequest> latest = BoundedMap.ofLatestUsed(MOST);

  private record Way(String client, String destination) {}

  /** Stores a client's question, unless it does not say where the traffic starts. */
  synchronized void asked(String client, PlanRequest request) {
    if (request.source() != null) {
      latest.put(way(client, request.destination()), request);
    }
  }

  /** The last question of a client about a destination. */
  public synchronized Optional<PlanRequest> find(String client, String destination) {
    return Optional.ofNullable(latest.get(way(client, destination)));
  }

  private static Way way(String client, String destination) {
    return new Way(client, Destinations.parse(destination).toString());
  }
}
