package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.client.OrchestratorClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
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
    try (Verb orchestrator =
        limited(
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
        try (Strangers ignored = new Strangers(address.getPort())) {
          // Those beyond a quarter of its descriptors are closed.
          assertThat(client.health()).isNotNull();
          assertThat(descriptors(orchestrator)).isLessThan(LIMIT);
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

  @Test
  void aReceiverTakesItsFileOnceStrangersAreGone() throws Exception {
    Path file = Files.write(folder.resolve("file.bin"), new byte[1 << 20]);
    Path into = Files.createDirectory(folder.resolve("into"));
    int port = freePort();
    try (Verb receive =
        limited("receive", "--listen", "127.0.0.1:" + port, "--output", into.toString())) {
      String code = receive.awaitLine("send FILE (\\S+)").group(1);
      try (Strangers ignored = new Strangers(port)) {
        assertThat(receive.running()).isTrue();
      }
      try (Verb send = Verb.start(folder, "send", file.toString(), code)) {
        assertThat(send.await()).as(send.text()).isZero();
        assertThat(receive.await()).as(receive.text()).isZero();
      }
      assertThat(into.resolve("file.bin")).hasSameBinaryContentAs(file);
    }
  }

  /** Strangers are at its clients' port and at that of its pipes. */
  @Test
  void aForwardCarriesOnceStrangersAreGone() throws Exception {
    Path key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    try (ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Verb far =
            limited(
                "forward",
                "--accept",
                "127.0.0.1:0",
                "--to",
                "127.0.0.1:" + destination.getLocalPort(),
                "--key-file",
                key.toString())) {
      echo(destination);
      String pipes = far.awaitLine("accepting pipes on (\\S+) ").group(1);
      try (Verb near =
          limited(
              "forward",
              "--listen",
              "0",
              "--to",
              pipes,
              "--chains",
              "0",
              "--key-file",
              key.toString())) {
        int clients = port(near.awaitLine("forwarding (\\S+) ").group(1));
        try (Strangers ignored = new Strangers(port(pipes));
            Strangers alsoIgnored = new Strangers(clients)) {
          assertThat(far.running() && near.running()).isTrue();
        }

        await()
            .atMost(Cluster.PATIENCE)
            .ignoreExceptionsInstanceOf(IOException.class)
            .until(() -> carries(clients));
      }
    }
  }

  @Test
  void aGatewayAnswersOnceStrangersAreGone() throws Exception {
    Path key = Files.writeString(folder.resolve("key"), "0".repeat(64));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String status = folder.resolve("gateway.sock").toString();
    int metrics = freePort();
    try (Verb gateway =
        limited(
            "gateway",
            "up",
            "--name",
            "mid",
            "--control",
            status,
            "--metrics",
            "127.0.0.1:" + metrics,
            "--listen",
            "127.0.0.1:" + freePort(),
            "--accept",
            "gw1,key=" + key,
            "--address",
            "10.9.0.1",
            "--route",
            "10.9.1.0/24=gw1")) {
      gateway.awaitLine("gateway ready: mid");
      try (Strangers ignored = new Strangers(metrics)) {
        assertThat(gateway.running()).isTrue();
      }

      try (Verb asked = Verb.start(folder, "gateway", "status", "--control", status)) {
        assertThat(asked.await()).as(asked.text()).isZero();
        assertThat(asked.text()).contains("mid: no TUN device");
      }
    }
  }

  /** A byte in each direction. */
  private static boolean carries(int clients) throws IOException {
    try (Socket client = new Socket(InetAddress.getLoopbackAddress(), clients)) {
      client.setSoTimeout(CONNECT_MILLIS);
      client.getOutputStream().write(7);
      return client.getInputStream().read() == 7;
    }
  }

  /** Answers each connection with what it says, strangers' too. */
  private static void echo(ServerSocket destination) {
    Thread.startVirtualThread(() -> {
      while (!destination.isClosed()) {
        try {
          Socket socket = destination.accept();
          Thread.startVirtualThread(() -> echo(socket));
        } catch (IOException e) {
          // It is closed.
        }
      }
    });
  }

  private static void echo(Socket connection) {
    try (connection) {
      connection.getInputStream().transferTo(connection.getOutputStream());
    } catch (IOException e) {
      // A stranger's that was reset.
    }
  }

  private static int port(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private Verb limited(String... arguments) {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/prlimit")), "SKIPPED: there is no prlimit");
    return Verb.start(
        folder, List.of("/usr/bin/prlimit", "--nofile=" + LIMIT + ":" + LIMIT), arguments);
  }

  /** Connections that say nothing, as many as the port takes. */
  private static final class Strangers implements AutoCloseable {
    private final List<Socket> taken = new ArrayList<>();

    Strangers(int port) throws IOException {
      while (taken.size() < LIMIT && connects(port)) {
        // on to the next one
      }
    }

    private boolean connects(int port) throws IOException {
      Socket socket = new Socket();
      taken.add(socket);
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", port), CONNECT_MILLIS);
        return true;
      } catch (SocketTimeoutException e) {
        return false;
      } catch (SocketException e) {
        return true; // it was closed before it was there
      }
    }

    @Override
    public void close() throws IOException {
      for (Socket socket : taken) {
        socket.close();
      }
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
