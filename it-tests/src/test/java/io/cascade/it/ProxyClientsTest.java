package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import com.sun.net.httpserver.SimpleFileServer;
import io.cascade.api.client.OrchestratorClient;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
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
  private static ClientPrograms programs;

  @BeforeAll
  static void start() throws Exception {
    programs = new ClientPrograms(folder, Duration.ofSeconds(60));
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
    programs.run(
        0, List.of("curl", "-sS", "--fail", "-x", "socks5h://" + socks, "-o", got.toString(), url));
    assertThat(Files.mismatch(got, root.resolve("large.bin"))).isEqualTo(-1);
    String closed = "http://localhost:" + ReservedPort.untilTheEnd() + "/";
    assertThat(programs.run(97, List.of("curl", "-sS", "-x", "socks5h://" + socks, closed)))
        .contains("(5)");
  }

  @Test
  void curlFetchesByFtpThroughSocksAndThroughConnect() throws Exception {
    need("curl");
    byte[] bytes = new byte[1_000_000];
    new Random(6).nextBytes(bytes);
    Path got = folder.resolve("got.ftp");
    try (FtpServer server = ftp(bytes)) {
      for (String proxy : List.of("socks5h://" + socks, "http://" + connect)) {
        programs.run(
            0,
            List.of(
                "curl", "-sS", "-p", "-x", proxy, "-o", got.toString(), "ftp://127.0.0.1/file"));
        assertThat(got).hasBinaryContent(bytes);
      }
      assertThat(server.data).hasValue(2);
    }
  }

  private static FtpServer ftp(byte[] file) {
    try {
      return new FtpServer(file);
    } catch (IOException e) {
      return abort("the port of FTP cannot be had: " + e.getMessage());
    }
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
    assertThat(programs.run(0, curl)).isEqualTo("through CONNECT\n");
  }

  @Test
  void gitClonesThroughSocks() throws Exception {
    need("git");
    Path work = Files.createDirectory(folder.resolve("work"));
    Files.writeString(work.resolve("file.txt"), "versioned\n");
    List<String> git =
        List.of("git", "-C", work.toString(), "-c", "user.name=t", "-c", "user.email=t@example");
    programs.run(0, with(git, "init", "-q"));
    programs.run(0, with(git, "add", "."));
    programs.run(0, with(git, "commit", "-q", "-m", "first"));
    Path bare = root.resolve("repository.git");
    programs.run(0, List.of("git", "clone", "-q", "--bare", work.toString(), bare.toString()));
    programs.run(0, List.of("git", "-C", bare.toString(), "update-server-info"));
    String url = "http://localhost:" + web.getAddress().getPort() + "/repository.git";
    Path clone = folder.resolve("clone");
    programs.run(
        0,
        List.of(
            "git", "-c", "http.proxy=socks5h://" + socks, "clone", "-q", url, clone.toString()));
    assertThat(clone.resolve("file.txt")).hasContent("versioned\n");
  }

  @Test
  void sshGoesThroughSocksAndThroughConnect() throws Exception {
    programs.needSshServer();
    int port = ReservedPort.untilTheEnd();
    Process server = programs.serve(port, programs.sshServer(port));
    try {
      need("nc");
      ssh(port, "nc -X 5 -x " + socks + " %h %p");
      need("socat");
      int colon = connect.lastIndexOf(':');
      ssh(
          port,
          "socat - PROXY:%s:%%h:%%p,proxyport=%s"
              .formatted(connect.substring(0, colon), connect.substring(colon + 1)));
    } finally {
      server.destroy();
      server.waitFor(5, TimeUnit.SECONDS);
    }
  }

  private static void ssh(int port, String proxyCommand) throws Exception {
    String answer =
        programs.run(
            0,
            List.of(
                "ssh",
                "-p",
                Integer.toString(port),
                "-i",
                folder.resolve("user_key").toString(),
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
}
