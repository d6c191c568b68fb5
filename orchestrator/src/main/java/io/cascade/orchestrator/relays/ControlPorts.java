package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.names.Loopback;
import io.cascade.orchestrator.tls.ServerUrls;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The control ports that this orchestrator connects to while a relay keeps no control connection:
 * those on loopback, where the orchestrator itself is reached on loopback alone.
 *
 * <p>Calls of a control port go in clear and bring a key, and the relay says where the port is.
 * Anywhere else whoever is on the way would end the control connection and read the calls that
 * follow, and a relay would learn which ports are open around the orchestrator.
 */
@Component
class ControlPorts {
  private final boolean onLoopback;

  ControlPorts(ServerUrls urls) {
    this.onLoopback =
        urls.listen().isLoopbackAddress() && urls.hosts().stream().allMatch(Loopback::isHost);
  }

  /** The relay's port; empty where it is called over the connection that it keeps alone. */
  Optional<Endpoint> of(RegisteredRelay relay) {
    return Optional.ofNullable(relay.control())
        .filter(control -> onLoopback && Loopback.isHost(control.host()));
  }
}
