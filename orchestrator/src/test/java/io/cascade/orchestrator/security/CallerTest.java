package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Role;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CallerTest {
  @Test
  void workForAnotherThreadGoesOnInItsCallersName() throws InterruptedException {
    Caller alice =
        new Caller("client/alice", "alice", Role.CLIENT, Set.of(), null, new Caller.Oidc());
    Supplier<String> carried =
        ScopedValue.where(Caller.CURRENT, alice)
            .call(() -> Caller.carried(() -> String.valueOf(Caller.ownerOfRequest())));
    String[] seen = new String[1];

    Thread other = Thread.startVirtualThread(() -> seen[0] = carried.get());
    other.join();

    assertThat(seen).containsExactly("client/alice");
    assertThat(Caller.ownerOfRequest()).isNull();
    assertThat(Caller.carried(() -> "alone").get()).isEqualTo("alone");
  }
}
