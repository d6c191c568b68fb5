package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.OrchestratorClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes that may open few files and connections. */
@Timeout(240)
class FewDescriptorsTest {
  private static final int LIMIT = 300;
  private static final int CONNECT_MILLIS = 2_000;

  @TempDir private Path folder;

  @Test
  void connectionsOfStrangersLeaveTheOrchestratorEnough() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "SKIPPED: there is no prlimit");
    try (Verb orchestrator =
        Verb.start(
            folder,
            List.of("/usr/bin/prlimit", "--nofile=" + LIMIT + ":" + LIMIT),
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.resolve("state").toString())) {
      URI address =
          URI.create(orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1));
      OrchestratorClient client = new OrchestratorClient(address, null);
      try (Verb relay = relay(address)) {
        relay.awaitLine("cascade relay r1 ready");
        await().atMost(Cluster.PATIENCE).until(() -> new ControlPlane(address, null).hearsOf(1));
        List<Socket> taken = new ArrayList<>();
        try {
          while (taken.size() < LIMIT && connects(address, taken)) {
            // Those beyond a quarter of its descriptors are closed.
          }
          assertThat(client.health()).isNotNull();
          assertThat(descriptors(orchestrator)).isLessThan(LIMIT);
        } finally {
          for (Socket socket : taken) {
            socket.close();
          }
        }

        await().atMost(Cluster.PATIENCE).until(() -> descriptors(orchestrator) < LIMIT - 50);
        await()
            .atMost(Cluster.PATIENCE)
            .ignoreExceptions()
            .until(() -> new ControlPlane(address, null).hearsOf(1));
        assertThat(client.health()).isNotNull();
        client.drain("r1");
        assertThat(client.relay("r1").drained()).as("what is stored, too").isTrue();
      }
    }
  }

  private static boolean connects(URI orchestrator, List<Socket> taken) throws IOException {
    Socket socket = new Socket();
    taken.add(socket);
    try {
      socket.connect(new InetSocketAddress("127.0.0.1", orchestrator.getPort()), CONNECT_MILLIS);
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }

  private Verb relay(URI orchestrator) {
    return Verb.start(
        folder,
        "relay",
        "--name",
        "r1",
        "--orchestrator",
        orchestrator.toString(),
        "--hop-port",
        "0",
        "--control-port",
        "0");
  }

  private static long descriptors(Verb verb) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(verb.pid()), "fd"))) {
      return open.count();
    }
  }
}
