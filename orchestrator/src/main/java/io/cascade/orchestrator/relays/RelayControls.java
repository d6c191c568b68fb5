package io.cascade.orchestrator.relays;

import io.cascade.api.client.RelayControlClient;
import io.cascade.api.client.UnreachableException;
import io.cascade.api.orchestrator.Endpoint;
import io.cascade.orchestrator.security.Access;
import java.net.URI;
import java.net.URISyntaxException;
import org.springframework.stereotype.Component;

/** Speaks to relays' control endpoints. */
@Component
public class RelayControls {
  private final Access access;

  RelayControls(Access access) {
    this.access = access;
  }

  /**
   * @throws UnreachableException where its control address is none
   */
  public RelayControlClient of(RegisteredRelay relay) {
    return new RelayControlClient(address(relay.control()), access.token());
  }

  private static URI address(Endpoint control) {
    try {
      // The constructor puts an IPv6 address into brackets.
      return new URI("http", null, control.host(), control.port(), null, null, null);
    } catch (URISyntaxException e) {
      throw new UnreachableException("control address: " + e.getMessage(), e);
    }
  }
}
