package io.cascade.orchestrator.security;

import io.cascade.command.CommandException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Protection of the orchestrator: a token that callers and relays share, or that only this machine
 * can reach it.
 */
public record Access(@Nullable String token) {

  /**
   * The address to listen on.
   *
   * @throws CommandException when everybody could open chains there
   */
  public InetAddress listen(String host) {
    InetAddress address;
    try {
      address = InetAddress.getByName(host);
    } catch (UnknownHostException e) {
      throw new CommandException(
          "--listen " + host + ": no such address (expected: a local address, or 0.0.0.0)", e);
    }
    if (token == null && !address.isLoopbackAddress()) {
      throw new CommandException(
          "--listen "
              + host
              + ": everybody who reaches it could open chains; give a token (--token or"
              + " CASCADE_TOKEN), or listen on 127.0.0.1");
    }
    return address;
  }

  /** The access without the token. */
  @Override
  public String toString() {
    return token == null ? "Access[loopback only]" : "Access[token]";
  }
}
