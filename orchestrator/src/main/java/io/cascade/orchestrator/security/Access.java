package io.cascade.orchestrator.security;

import io.cascade.command.CommandException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Access as an admin without an API key.
 *
 * @param token secret that callers and relays may share; null if all have keys, or need none
 * @param open whether no credential is needed: without a token, on an orchestrator that only its
 *     own machine reaches
 */
public record Access(@Nullable String token, boolean open) {

  /** Access to an orchestrator that listens on this address. */
  public static Access of(@Nullable String token, InetAddress listen) {
    return new Access(token, token == null && listen.isLoopbackAddress());
  }

  /**
   * The address to listen on.
   *
   * @throws CommandException if the host has no such address
   */
  public static InetAddress listen(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new CommandException(
          "--listen " + host + ": no such address (expected: a local address, or 0.0.0.0)", e);
    }
  }

  /** Leaves out the token. */
  @Override
  public String toString() {
    return open ? "Access[loopback only]" : token == null ? "Access[keys]" : "Access[token]";
  }
}
