package io.cascade.orchestrator.relays;

import io.cascade.api.orchestrator.Endpoint;
import io.cascade.command.names.Loopback;
import io.cascade.orchestrator.tls.ServerUrls;
import java.util.Optional;
import org.springframework.stereotype.Component;

/**
 * The control ports to which this orchestrator connects while a relay has no control connection:
 * those on loopback, if the orchestrator itself is reached on loopback only.
 *
 * <p>Calls to a control port are unencrypted and carry a key, and the relay chooses the address.
 * Elsewhere an on-path attacker could end the control connection and read the calls that follow,
 * and a relay could learn which ports are open around the orchestrator.
 */
@Component
class ControlPorts {
  private final boolean onLoopback;

  ControlPorts(ServerUrls urls) {
    this.onLoopback =
        urls.listen().isLoopbackAddress() && urls.hosts().stream().allMatch(Loopback::isHost);
  }

  /** The relay's port; empty if it is called over its control connection only. */
  Optional<Endpoint> of(RegisteredRelay relay) {
    return Optional.ofNullable(relay.control())
        .filter(control -> onLoopback && Loopback.isHost(control.host()));
  }
}
