package io.cascade.api.client;

import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;

/**
 * There is no complete answer: the address is invalid, the connection could not be opened or broke,
 * or the answer took too long or was too large.
 */
public final class UnreachableException extends RuntimeException {
  /**
   * @param message names the server and the reason
   */
  public UnreachableException(String message, Throwable cause) {
    super(message, cause);
  }

  public UnreachableException(URI server, Throwable cause) {
    super(
        cause instanceof IncompleteAnswerException
            ? server + ": " + cause.getMessage()
            : "no answer from " + server + ": " + reason(cause),
        cause);
  }

  /** Whether a server answered that could not be verified. */
  public boolean isAboutTrust() {
    for (Throwable at = getCause(); at != null; at = at.getCause()) {
      if (at instanceof CertificateException || at instanceof CertPathBuilderException) {
        return true;
      }
    }
    return false;
  }

  /** Whether standbys answered, but none leads at present. */
  public boolean isAboutLeading() {
    return getCause() instanceof ProblemException;
  }

  private static String reason(Throwable cause) {
    for (Throwable at = cause; at != null; at = at.getCause()) {
      if (at instanceof CertPathBuilderException) {
        return "no authority that this machine trusts has issued its certificate; fix: pin its key,"
            + " by the URL that `cascade certificate` prints on the orchestrator's machine";
      }
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
