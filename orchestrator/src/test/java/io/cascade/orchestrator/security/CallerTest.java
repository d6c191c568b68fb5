package io.cascade.orchestrator.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class CallerTest {
  @Test
  void workForAnotherThreadGoesOnInItsCallersName() throws InterruptedException {
    Caller alice =
        new Caller("client/alice", "alice", Role.CLIENT, Set.of(), null, new Caller.Oidc());
    List<Thread> started = new ArrayList<>();
    Executor threads = work -> started.add(Thread.startVirtualThread(work));
    Executor carried =
        ScopedValue.where(Caller.CURRENT, alice).call(() -> Caller.carriedTo(threads));
    String[] seen = new String[1];

    carried.execute(() -> seen[0] = String.valueOf(Caller.ownerOfRequest()));
    started.getFirst().join();

    assertThat(seen).containsExactly("client/alice");
    assertThat(Caller.ownerOfRequest()).isNull();
    String[] alone = new String[1];
    Caller.carriedTo(Runnable::run).execute(() -> alone[0] = "alone");
    assertThat(alone).containsExactly("alone");
  }
}
