package io.cascade.orchestrator.security;

import io.cascade.command.CommandException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Protection of the orchestrator: what lets an admin in who has no key.
 *
 * @param token that callers and relays may share; null where all have keys, or need none
 * @param open whether nobody needs a key: where there is no token, and only this machine reaches it
 */
public record Access(@Nullable String token, boolean open) {

  /** Of an orchestrator that listens there. */
  public static Access of(@Nullable String token, InetAddress listen) {
    return new Access(token, token == null && listen.isLoopbackAddress());
  }

  /**
   * The address to listen on.
   *
   * @throws CommandException where there is no such address
   */
  public static InetAddress listen(String host) {
    try {
      return InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new CommandException(
          "--listen " + host + ": no such address (expected: a local address, or 0.0.0.0)", e);
    }
  }

  /** The access without the token. */
  @Override
  public String toString() {
    return open ? "Access[loopback only]" : token == null ? "Access[keys]" : "Access[token]";
  }
}
