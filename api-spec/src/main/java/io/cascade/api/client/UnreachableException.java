package io.cascade.api.client;

import java.net.URI;

/** Nobody answered: the connection could not be made, broke, or took too long. */
public final class UnreachableException extends RuntimeException {
  public UnreachableException(URI server, Throwable cause) {
    super("no answer from " + server + ": " + reason(cause), cause);
  }

  private static String reason(Throwable cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof java.net.http.HttpTimeoutException) {
        return "timed out";
      }
      if (at instanceof java.net.ConnectException && at.getMessage() == null) {
        return "connection refused";
      }
      if (at.getCause() == null) {
        return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
      }
    }
    return "unknown";
  }
}
