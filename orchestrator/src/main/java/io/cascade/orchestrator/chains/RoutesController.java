package io.cascade.orchestrator.chains;

import io.cascade.api.orchestrator.RouteAnswer;
import io.cascade.api.orchestrator.RouteQuestion;
import io.cascade.orchestrator.contract.RoutesApi;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.Refusal;
import io.cascade.orchestrator.relays.RelayRegistry;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RoutesController implements RoutesApi {
  private final ChainRoutes routes;
  private final RelayRegistry relays;

  RoutesController(ChainRoutes routes, RelayRegistry relays) {
    this.routes = routes;
    this.relays = relays;
  }

  @Override
  public ResponseEntity<RouteAnswer> askForRoute(String name, RouteQuestion question) {
    if (!relays.known(name).instance().equals(question.instance())) {
      throw new Refusal(
          ProblemKind.UNKNOWN_INSTANCE, name + ": another instance is registered under this name");
    }
    ChainRoutes.RoutingDecision answer =
        routes.answer(name, question.destination(), question.trial());
    return ResponseEntity.ok(
        new RouteAnswer(
            answer.chain(),
            (int) answer.valid().toSeconds(),
            answer.why(),
            answer.trial() ? true : null));
  }
}
