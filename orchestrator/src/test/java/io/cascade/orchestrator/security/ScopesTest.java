package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Role;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ScopesTest {
  /** Others change nothing that is stored for long, or have bounds by what they change. */
  @Test
  void whatIsStoredOrGoesToRelaysForAClientOrARelayHasABoundAMinute() throws IOException {
    Scopes scopes = new Scopes();

    assertThat(
            Stream.of(Role.CLIENT, Role.RELAY)
                .flatMap(role ->
                    scopes.operations().stream()
                        .filter(operation -> operation.perMinute() > 0)
                        .filter(operation -> operation.allows(scopes.of(role))))
                .map(Scopes.Operation::id))
        .contains(
            "plan", "openChain", "renewChain", "reportTransfer", "openClientTest", "registerRelay");
  }
}
