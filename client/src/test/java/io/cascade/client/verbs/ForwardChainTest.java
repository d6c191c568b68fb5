package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.client.forward.PipeDialer;
import io.cascade.testing.ReservedPort;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ForwardChainTest {
  private final Verb verb = new Verb();
  private final StringWriter said = new StringWriter();

  @Command
  private static final class Verb {
    @Mixin private final Output output = new Output();
  }

  @Test
  void anErrorWhileAChainIsOpenedDoesNotEndTheTries() {
    CommandLine _ = new CommandLine(verb).setErr(new PrintWriter(said));
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
            verb.output);

    chain.start();

    await().until(() -> tries.get() > 1);
    assertThatThrownBy(chain::connect)
        .isInstanceOf(PipeDialer.Unavailable.class)
        .hasMessageContaining("chain 1 is not there: try ");
  }
}
