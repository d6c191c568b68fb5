package io.cascade.orchestrator.web;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 503 instead of an error for a request that was interrupted by the closing of the
 * orchestrator: the caller would not retry a request that is reported as invalid.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
class ClosingFilter extends OncePerRequestFilter {
  private volatile boolean closing;

  @EventListener(ContextClosedEvent.class)
  void close() {
    closing = true;
  }

  @Override
  protected void doFilterInternal(
      HttpServletRequest request, HttpServletResponse response, FilterChain rest)
      throws ServletException, IOException {
    try {
      rest.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException e) {
      if (!closing || response.isCommitted()) {
        throw e;
      }
      response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    }
    if (closing && response.getStatus() >= 400 && !response.isCommitted()) {
      response.reset();
      ProblemResponse.write(response, ProblemKind.CLOSING, ProblemKind.CLOSING.title());
    }
  }
}
