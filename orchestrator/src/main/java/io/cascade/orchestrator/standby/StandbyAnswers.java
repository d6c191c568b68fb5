package io.cascade.orchestrator.standby;

import io.cascade.api.Json;
import io.cascade.api.client.ServerAddress;
import io.cascade.api.orchestrator.OrchestratorHealth;
import io.cascade.api.orchestrator.OrchestratorRole;
import io.cascade.orchestrator.leadership.Leadership;
import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/**
 * Answers the health itself, and redirects all other requests to the leader. Reads neither bodies
 * nor credentials, which are for the leader.
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
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (request.getRequestURI().equals("/api/v1/health")) {
      if (!leadership.isAnswered()) {
        ProblemResponse.write(
            response,
            ProblemKind.DATABASE_AWAY,
            "this orchestrator is on standby and cannot lead: the server of --database does not"
                + " answer");
        return;
      }
      response.setContentType(MediaType.APPLICATION_JSON_VALUE);
      OrchestratorHealth health =
          OrchestratorHealth.builder()
              .status("UP")
              .role(OrchestratorRole.STANDBY)
              .leader(leader)
              .build();
      response
          .getOutputStream()
          .write(Json.strict().writeValueAsString(health).getBytes(StandardCharsets.UTF_8));
      return;
    }
    response.setHeader(HttpHeaders.RETRY_AFTER, "1");
    if (leader != null) {
      response.setHeader(HttpHeaders.LOCATION, location(leader, request));
    }
    ProblemResponse.redirect(
        response,
        ProblemKind.NOT_LEADER,
        leader == null
            ? "this orchestrator is on standby, and none leads yet; try again"
            : "this orchestrator is on standby; "
                + leader
                + " leads; fix: name both in --orchestrator",
        leader != null);
  }

  /**
   * The same path at the leader, with the leader's pins. Pages get no pins, since a browser would
   * keep them in its address bar.
   */
  private static String location(String leader, HttpServletRequest request) {
    ServerAddress to = ServerAddress.of(URI.create(leader));
    String path = request.getRequestURI();
    String query = request.getQueryString();
    String there = to.base() + path + (query == null ? "" : "?" + query);
    return to.pins() == null || !path.startsWith("/api/") ? there : there + "#" + to.pins();
  }
}
