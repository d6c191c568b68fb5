package io.cascade.client.forward;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.testing.ReservedPort;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class ForwardChainTest {
  @Test
  void anErrorWhileAChainIsOpenedDoesNotEndTheTries() {
    AtomicInteger tries = new AtomicInteger();
    ForwardChain chain =
        new ForwardChain(
            "chain 1",
            false,
            new OrchestratorClient(
                URI.create("http://127.0.0.1:" + ReservedPort.untilTheEnd()), null),
            _ -> {
              throw new NoClassDefFoundError("try " + tries.incrementAndGet());
            },
            new ReentrantLock(),
            true,
            _ -> {});

    chain.start();

    await().until(() -> tries.get() > 1);
    assertThatThrownBy(chain::connect)
        .isInstanceOf(PipeDialler.Unavailable.class)
        .hasMessageContaining("chain 1 is not available: try ");
  }
}
