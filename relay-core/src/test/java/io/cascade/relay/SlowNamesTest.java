package io.cascade.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.carriage.transport.Transport;
import io.cascade.relay.proxy.ProxySettings;
import io.cascade.relay.registration.FakeOrchestrator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names that no name server answers delay nothing but themselves. */
@Timeout(120)
@Tag("slow")
class SlowNamesTest {
  private static final int NAMES = 400;
  private static final int UNREACHABLE = 4;

  private final CountDownLatch answers = new CountDownLatch(1);
  private final AtomicInteger asked = new AtomicInteger();
  private final List<Socket> clients = new ArrayList<>();

  @Test
  void aRelayIsHeardOfAndServesWhileFourHundredNamesAreNotAnswered(@TempDir Path folder)
      throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0);
    try (FakeOrchestrator orchestrator = new FakeOrchestrator();
        ServerSocket destination = new ServerSocket(0, 50, any.getAddress());
        RelayNode relay =
            TestRelay.on(Transport.best())
                .names(this::never)
                .orchestrator(orchestrator.address(), folder.resolve("r1.identity"))
                .proxies(new ProxySettings(any, null, List.of(), List.of("*", "127.0.0.0/8"), null))
                .start("r1")) {
      await().until(() -> !orchestrator.heartbeats.isEmpty());
      for (int i = 0; i < NAMES; i++) {
        asks(relay, "name" + i + ".example", destination.getLocalPort());
      }
      await().until(() -> asked.get() > 0);

      int before = orchestrator.heartbeats.size();
      await().until(() -> orchestrator.heartbeats.size() >= before + 20);
      assertThat(orchestrator.registrations).hasSize(1);
      TestChain chain =
          TestChain.over(
              List.of(relay),
              new InetSocketAddress("127.0.0.1", destination.getLocalPort()),
              TestChain.defaults(),
              false);
      try (chain;
          Socket client = chain.connect();
          Socket server = destination.accept()) {
        client.getOutputStream().write(42);
        assertThat(server.getInputStream().read()).isEqualTo(42);
        Socket byAddress = asks(relay, "127.0.0.1", destination.getLocalPort());
        assertThat(ProxyRig.reply(byAddress)).isEqualTo(ProxyRig.GRANTED);
        assertThat(ProxyRig.reply(clients.getFirst())).isEqualTo(UNREACHABLE);
      }
    } finally {
      answers.countDown();
      for (Socket client : clients) {
        client.close();
      }
    }
  }

  private Socket asks(RelayNode relay, String host, int port) throws IOException {
    Socket client = ProxyRig.dial(Objects.requireNonNull(relay.socksAddress()));
    clients.add(client);
    ProxyRig.send(client, ProxyRig.NO_LOGIN, ProxyRig.command(1, host, port));
    ProxyRig.expect(client, ProxyRig.CHOSEN_NO_LOGIN);
    return client;
  }

  private List<InetAddress> never(String host) throws UnknownHostException {
    asked.incrementAndGet();
    try {
      answers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UnknownHostException(host);
  }
}
