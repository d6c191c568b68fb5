package io.cascade.orchestrator.standby;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.orchestrator.leadership.Leadership;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Answers the health itself, and sends everything else to the leader. It reads no body and no key:
 * those are for the leader.
 */
final class StandbyAnswers extends HttpServlet {
  private final transient Leadership leadership;

  StandbyAnswers(Leadership leadership) {
    this.leadership = leadership;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String leader = leadership.leader();
    response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
    if (request.getRequestURI().equals("/api/v1/health")) {
      response.setContentType(MediaType.APPLICATION_JSON_VALUE);
      OrchestratorHealth health =
          new OrchestratorHealth("UP", OrchestratorRole.STANDBY, null, leader);
      response
          .getOutputStream()
          .write(Json.strict().writeValueAsString(health).getBytes(StandardCharsets.UTF_8));
      return;
    }
    response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    String query = request.getQueryString();
    if (leader != null) {
      response.setHeader(
          HttpHeaders.LOCATION,
          leader + request.getRequestURI() + (query == null ? "" : "?" + query));
    }
    ProblemResponse.redirect(
        response,
        ProblemKind.NOT_LEADER,
        leader == null
            ? "this orchestrator stands by, and none leads yet; try again"
            : "this orchestrator stands by; " + leader + " leads: name both in --orchestrator",
        leader != null);
  }
}
