package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.SimpleFileServer;
import io.cascade.api.client.OrchestratorClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that speak SOCKS5 or CONNECT, through a relay that has an orchestrator. */
@Timeout(120)
class ProxyClientsTest {
  @TempDir private static Path folder;
  private static Verb orchestrator;
  private static Verb edge;
  private static Verb far;
  private static OrchestratorClient client;
  private static String socks;
  private static String connect;
  private static com.sun.net.httpserver.HttpServer web;
  private static Path root;

  @BeforeAll
  static void start() throws Exception {
    orchestrator =
        Verb.start(
            folder,
            "orchestrator",
            "--listen",
            "127.0.0.1:0",
            "--state-dir",
            folder.resolve("state").toString());
    String address = orchestrator.awaitLine("cascade orchestrator ready at (\\S+)").group(1);
    client = new OrchestratorClient(URI.create(address), null);
    edge = relay(address, "edge", "--socks", "127.0.0.1:0", "--http-connect", "127.0.0.1:0");
    far = relay(address, "far");
    socks = edge.awaitLine("ready: .*, socks (\\S+), http connect").group(1);
    connect = edge.awaitLine("ready: .*, http connect (\\S+)").group(1);
    root = Files.createDirectory(folder.resolve("www"));
    web =
        SimpleFileServer.createFileServer(
            new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0),
            root.toAbsolutePath(),
            SimpleFileServer.OutputLevel.NONE);
    web.start();
    await()
        .atMost(Cluster.PATIENCE)
        .until(() ->
            client.links().links().stream().filter(link -> link.minRttMillis() != null).count()
                == 2);
  }

  private static Verb relay(String orchestratorAt, String name, String... more) throws Exception {
    List<String> arguments =
        Stream.concat(
                Stream.of(
                    "relay",
                    "--name",
                    name,
                    "--orchestrator",
                    orchestratorAt,
                    "--hop-port",
                    "0",
                    "--control-port",
                    "0",
                    "--drain",
                    "0",
                    "--allow-destination",
                    "*,127.0.0.0/8,::1"),
                Arrays.stream(more))
            .toList();
    Verb relay = Verb.start(folder, arguments.toArray(String[]::new));
    relay.awaitLine("cascade relay " + name + " ready");
    return relay;
  }

  @AfterAll
  static void stop() {
    Stream.of(edge, far, orchestrator).filter(Objects::nonNull).forEach(Verb::close);
    if (web != null) {
      web.stop(0);
    }
  }

  @Test
  void curlFetchesThroughSocksAndIsToldWhyItCannot() throws Exception {
    need("curl");
    byte[] bytes = new byte[3_000_000];
    new Random(5).nextBytes(bytes);
    Files.write(root.resolve("large.bin"), bytes);
    String url = "http://localhost:" + web.getAddress().getPort() + "/large.bin";
    Path got = folder.resolve("got.bin");
    run(0, List.of("curl", "-sS", "--fail", "-x", "socks5h://" + socks, "-o", got.toString(), url));
    assertThat(Files.mismatch(got, root.resolve("large.bin"))).isEqualTo(-1);
    String closed = "http://localhost:" + freePort() + "/";
    assertThat(run(97, List.of("curl", "-sS", "-x", "socks5h://" + socks, closed))).contains("(5)");
  }

  @Test
  void theOrchestratorPlansForADestinationThatAStreamGoesToDirectly() throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket destination = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
      Thread.startVirtualThread(() -> {
        try {
          while (true) {
            destination.accept().close();
            connections.incrementAndGet();
          }
        } catch (IOException e) {
          // the test is over
        }
      });
      int colon = socks.lastIndexOf(':');
      InetSocketAddress proxy =
          new InetSocketAddress(
              socks.substring(0, colon), Integer.parseInt(socks.substring(colon + 1)));
      try (Socket stream = new Socket(new Proxy(Proxy.Type.SOCKS, proxy))) {
        stream.connect(InetSocketAddress.createUnresolved("localhost", destination.getLocalPort()));
        assertThat(stream.getInputStream().read()).isEqualTo(-1);
      }
      // The stream's own, and those by which each of both relays measures the destination.
      await().atMost(Cluster.PATIENCE).until(() -> connections.get() >= 11);
    }
  }

  @Test
  void curlTunnelsThroughHttpConnect() throws Exception {
    need("curl");
    Files.writeString(root.resolve("small.txt"), "through CONNECT\n");
    String url = "http://127.0.0.1:" + web.getAddress().getPort() + "/small.txt";
    List<String> curl =
        List.of("curl", "-sS", "--fail", "--proxytunnel", "-x", "http://" + connect, url);
    assertThat(run(0, curl)).isEqualTo("through CONNECT\n");
  }

  @Test
  void gitClonesThroughSocks() throws Exception {
    need("git");
    Path work = Files.createDirectory(folder.resolve("work"));
    Files.writeString(work.resolve("file.txt"), "versioned\n");
    List<String> git =
        List.of("git", "-C", work.toString(), "-c", "user.name=t", "-c", "user.email=t@example");
    run(0, with(git, "init", "-q"));
    run(0, with(git, "add", "."));
    run(0, with(git, "commit", "-q", "-m", "first"));
    Path bare = root.resolve("repository.git");
    run(0, List.of("git", "clone", "-q", "--bare", work.toString(), bare.toString()));
    run(0, List.of("git", "-C", bare.toString(), "update-server-info"));
    String url = "http://localhost:" + web.getAddress().getPort() + "/repository.git";
    Path clone = folder.resolve("clone");
    run(
        0,
        List.of(
            "git", "-c", "http.proxy=socks5h://" + socks, "clone", "-q", url, clone.toString()));
    assertThat(clone.resolve("file.txt")).hasContent("versioned\n");
  }

  @Test
  void sshGoesThroughSocksAndThroughConnect() throws Exception {
    need("sshd");
    need("ssh-keygen");
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root) {
      System.out.println("SKIPPED: an ssh server of our own needs root");
    }
    assumeTrue(root, "needs root");
    Files.createDirectories(Path.of("/run/sshd"));
    Path hostKey = folder.resolve("host_key");
    Path userKey = folder.resolve("user_key");
    run(0, List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", hostKey.toString()));
    run(0, List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", userKey.toString()));
    int port = freePort();
    Process server =
        new ProcessBuilder(
                "/usr/sbin/sshd",
                "-D",
                "-e",
                "-f",
                "/dev/null",
                "-h",
                hostKey.toString(),
                "-p",
                Integer.toString(port),
                "-o",
                "ListenAddress=127.0.0.1",
                "-o",
                "AuthorizedKeysFile=" + userKey + ".pub",
                "-o",
                "StrictModes=no",
                "-o",
                "PidFile=none",
                "-o",
                "UsePAM=no",
                "-o",
                "PermitRootLogin=prohibit-password")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("sshd.log").toFile())
            .start();
    try {
      awaitListening(port);
      need("nc");
      ssh(userKey, port, "nc -X 5 -x " + socks + " %h %p");
      need("socat");
      int colon = connect.lastIndexOf(':');
      ssh(
          userKey,
          port,
          "socat - PROXY:%s:%%h:%%p,proxyport=%s"
              .formatted(connect.substring(0, colon), connect.substring(colon + 1)));
    } finally {
      server.destroy();
      server.waitFor(5, TimeUnit.SECONDS);
    }
  }

  private static void ssh(Path userKey, int port, String proxyCommand) throws Exception {
    String answer =
        run(
            0,
            List.of(
                "ssh",
                "-p",
                Integer.toString(port),
                "-i",
                userKey.toString(),
                "-o",
                "ProxyCommand=" + proxyCommand,
                "-o",
                "StrictHostKeyChecking=no",
                "-o",
                "UserKnownHostsFile=/dev/null",
                "-o",
                "LogLevel=ERROR",
                "-o",
                "IdentitiesOnly=yes",
                "root@127.0.0.1",
                "echo there; head -c 2000000 /dev/zero | wc -c"));
    assertThat(answer).contains("there").contains("2000000");
  }

  private static List<String> with(List<String> command, String... more) {
    return Stream.concat(command.stream(), Arrays.stream(more)).toList();
  }

  private static void awaitListening(int port) {
    await()
        .atMost(Cluster.PATIENCE)
        .until(() -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
            return true;
          } catch (IOException e) {
            return false;
          }
        });
  }

  private static String run(int expected, List<String> command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("%s ended", command).isTrue();
    String text = Files.readString(output);
    assertThat(process.exitValue()).as("%s%n%s", command, text).isEqualTo(expected);
    return text;
  }

  private static void need(String program) {
    boolean there =
        Stream.concat(
                Arrays.stream(System.getenv("PATH").split(":")),
                Stream.of("/usr/sbin", "/usr/local/sbin"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    if (!there) {
      System.out.printf("SKIPPED: %s is not installed (apt install it, or run .ci/run)%n", program);
    }
    assumeTrue(there, program + " is not installed");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
