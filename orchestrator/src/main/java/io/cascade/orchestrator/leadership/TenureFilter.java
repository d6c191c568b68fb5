package io.cascade.orchestrator.leadership;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Refuses every call once the tenure is over, since the state in memory may be outdated. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
class TenureFilter extends OncePerRequestFilter {
  private final Tenure tenure;

  TenureFilter(Tenure tenure) {
    this.tenure = tenure;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    if (tenure.isHeld()) {
      rest.doFilter(request, response);
    } else {
      ProblemResponse.write(
          response, ProblemKind.NOT_LEADER, "this orchestrator no longer leads; try again");
    }
  }
}
