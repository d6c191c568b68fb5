package io.cascade.orchestrator.web;

import io.cascade.orchestrator.problems.ProblemKind;
import io.cascade.orchestrator.problems.ProblemResponse;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.jspecify.annotations.Nullable;

/**
 * Problem document for requests that Tomcat refuses before the application sees them, such as an
 * oversized header or a malformed request line.
 */
public final class ProblemReport extends ErrorReportValve {

  @Override
  protected void report(Request request, Response response, @Nullable Throwable failure) {
    int status = response.getStatus();
    if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
      return;
    }
    ProblemKind kind = isClosing(request) ? ProblemKind.CLOSING : kind(status);
    try {
      ProblemResponse.write(response.getResponse(), kind, kind.title());
      response.finishResponse();
    } catch (IOException | IllegalStateException e) {
      container.getLogger().debug("the client did not wait for its problem", e);
    }
  }

  private static boolean isClosing(Request request) {
    return request.getConnector().getProtocolHandler() instanceof WholeRequests requests
        && requests.isClosing();
  }

  private static ProblemKind kind(int status) {
    return switch (status) {
      case 404 -> ProblemKind.NOT_FOUND;
      case 405 -> ProblemKind.METHOD_NOT_ALLOWED;
      case 413, 414, 431 -> ProblemKind.TOO_LARGE;
      default -> status < 500 ? ProblemKind.INVALID_REQUEST : ProblemKind.INTERNAL;
    };
  }
}
