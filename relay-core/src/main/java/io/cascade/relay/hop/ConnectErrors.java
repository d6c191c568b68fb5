package io.cascade.relay.hop;

import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.channel.ConnectTimeoutException;

/** Translates the error of a connection attempt to the reason why a stream ends. */
public final class ConnectErrors {
  private ConnectErrors() {}

  /**
   * Explains a failed attempt.
   *
   * @param target the address as people read it
   */
  public static ConnectFailed explain(Throwable cause, String target) {
    String detail = target + ": " + cause.getMessage();
    if (cause instanceof ConnectTimeoutException) {
      return new ConnectFailed(ConnectFailed.Kind.TIMED_OUT, detail);
    }
    return new ConnectFailed(kind(String.valueOf(cause.getMessage())), detail);
  }

  /** Matches the kernel's text: each transport has other exceptions for the same error number. */
  private static ConnectFailed.Kind kind(String text) {
    if (text.contains("refused")) {
      return ConnectFailed.Kind.REFUSED;
    }
    if (text.contains("No route to host")) {
      return ConnectFailed.Kind.HOST_UNREACHABLE;
    }
    if (text.contains("Network is unreachable")) {
      return ConnectFailed.Kind.NETWORK_UNREACHABLE;
    }
    return text.contains("timed out") ? ConnectFailed.Kind.TIMED_OUT : ConnectFailed.Kind.FAILED;
  }
}
