package io.cascade.client.ways;

import io.cascade.api.HostPort;
import io.cascade.api.orchestrator.Chain;
import io.cascade.api.orchestrator.ChainState;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.CommandException;

/** Properties of a chain that a client needs to connect to it. */
public final class Chains {
  private Chains() {}

  /** Whether the chain carries streams, or will. */
  public static boolean isLive(Chain chain) {
    return chain.state() != ChainState.CLOSED && chain.state() != ChainState.FAILED;
  }

  /**
   * The address at which clients connect to a chain.
   *
   * @throws CommandException where it has no ingress
   */
  public static HostPort ingress(Chain chain) {
    Endpoint ingress = chain.ingress();
    if (ingress == null) {
      throw new CommandException(
          "chain "
              + chain.id()
              + " is "
              + chain.state()
              + " and has no ingress: ./cascade chain "
              + chain.id());
    }
    return new HostPort(ingress.host(), ingress.port());
  }
}
