package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.client.ProblemException;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.InstalledPart;
import io.cascade.carriage.transport.Transport;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An orchestrator takes a chain back while its relays still wait for each other. */
@Timeout(60)
class RemovedWhileInstallingTest {
  private static final Duration LONG = Duration.ofMinutes(10);

  @Test
  void aRelayThatWaitsForTheNextOneStopsWhenTheChainIsRemoved() throws Exception {
    UUID chain = UUID.randomUUID();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"));
        RelayNode relay = TestRelay.on(Transport.best()).installTimeout(LONG).start("r")) {
      ChainPart part =
          TestParts.of(
              0,
              60,
              Ingress.builder().port(0).build(),
              null,
              HopOutlet.builder()
                  .host("127.0.0.1")
                  .port(silent.getLocalPort())
                  .key(TestChain.newKey())
                  .build(),
              null,
              null,
              1L);
      CompletableFuture<InstalledPart> installing =
          CompletableFuture.supplyAsync(() -> TestChain.control(relay).install(chain, part, LONG));
      try (Socket greeting = silent.accept()) {
        assertThat(greeting.isConnected()).isTrue();

        TestChain.control(relay).remove(chain, true, TestChain.PATIENCE);

        assertThatThrownBy(installing::join)
            .isInstanceOf(CompletionException.class)
            .cause()
            .isInstanceOf(ProblemException.class)
            .hasMessageContaining("removed while the next relay was awaited");
        assertThat(TestChain.control(relay).list(TestChain.PATIENCE).parts()).isEmpty();
      }
    }
  }
}
