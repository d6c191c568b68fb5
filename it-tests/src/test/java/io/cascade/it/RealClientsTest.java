package io.cascade.it;

import static io.cascade.it.ClientPrograms.need;
import static io.cascade.it.ClientPrograms.needRoot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cascade.api.orchestrator.Chain;
import io.cascade.testing.ReservedPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that know nothing of Cascade, through a chain of three relays. */
@Timeout(120)
class RealClientsTest {
  @TempDir private static Path folder;
  private static Cluster cluster;
  private static ClientPrograms programs;

  private final List<Process> servers = new ArrayList<>();

  @BeforeAll
  static void start() throws Exception {
    cluster = Cluster.start(folder);
    programs = new ClientPrograms(folder, Duration.ofSeconds(90));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void endServers() throws InterruptedException {
    for (Process server : servers) {
      server.destroy();
      server.waitFor(5, TimeUnit.SECONDS);
    }
  }

  @Test
  void iperf3MeasuresForwardReverseAndEightAtOnce() throws Exception {
    need("iperf3");
    int port = ReservedPort.untilTheEnd();
    serve(port, "iperf3", "-s", "-B", "127.0.0.1", "-p", Integer.toString(port));
    String at = Integer.toString(open(port).getPort());
    for (List<String> way : List.of(List.<String>of(), List.of("-R"), List.of("-P", "8"))) {
      List<String> command =
          new ArrayList<>(List.of("iperf3", "-c", "127.0.0.1", "-p", at, "-n", "64M", "-J"));
      command.addAll(way);
      // Its server may still be at the end of the run before.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(programs.run(0, command))
                  .contains("\"sum_received\"")
                  .doesNotContain("\"error\""));
    }
  }

  @Test
  void curlResumesALargeFileFromNginx() throws Exception {
    need("nginx");
    need("curl");
    Path root = Files.createDirectory(folder.resolve("www"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    byte[] bytes = new byte[40_000_000];
    new Random(3).nextBytes(bytes);
    Files.write(root.resolve("large.bin"), bytes);
    int port = ReservedPort.untilTheEnd();
    Path configuration = folder.resolve("nginx.conf");
    Files.writeString(
        configuration,
        """
        daemon off; pid %1$s/nginx.pid; error_log %1$s/nginx.log; user root;
        events {}
        http {
          access_log off;
          client_body_temp_path %1$s/b; proxy_temp_path %1$s/p; fastcgi_temp_path %1$s/f;
          uwsgi_temp_path %1$s/u; scgi_temp_path %1$s/s;
          server { listen 127.0.0.1:%2$d; root %3$s; }
        }
        """
            .formatted(folder, port, root));
    serve(port, "nginx", "-c", configuration.toString());
    String url = "http://127.0.0.1:" + open(port).getPort() + "/large.bin";
    Path got = folder.resolve("got.bin");
    Files.write(got, java.util.Arrays.copyOf(bytes, 12_345_678));
    programs.run(
        0, List.of("curl", "-sS", "--fail", "--continue-at", "-", "-o", got.toString(), url));
    assertThat(Files.mismatch(got, root.resolve("large.bin"))).isEqualTo(-1);
  }

  @Test
  void redisAnswersPipelinedCommands() throws Exception {
    need("redis-server");
    need("redis-cli");
    int port = ReservedPort.untilTheEnd();
    serve(
        port,
        "redis-server",
        "--bind",
        "127.0.0.1",
        "--port",
        Integer.toString(port),
        "--save",
        "",
        "--dir",
        folder.toString());
    String at = Integer.toString(open(port).getPort());
    assertThat(programs.run(0, List.of("redis-cli", "-p", at, "set", "word", "kept")))
        .contains("OK");
    assertThat(programs.run(0, List.of("redis-cli", "-p", at, "get", "word"))).contains("kept");
    assertThat(
            programs.run(
                0,
                List.of(
                    "redis-cli",
                    "-p",
                    at,
                    "--raw",
                    "eval",
                    "return string.rep('x', 1000000)",
                    "0")))
        .hasSizeGreaterThanOrEqualTo(1_000_000);
  }

  @Test
  void psqlCopiesATableInAndOut() throws Exception {
    need("psql");
    needRoot("a PostgreSQL server, which is run as somebody else,");
    Path postgresPrograms = postgresPrograms();
    Path home = Files.createTempDirectory("cascade-psql");
    programs.run(0, List.of("chown", "postgres", home.toString()));
    String data = home.resolve("data").toString();
    List<String> postgres = List.of("runuser", "-u", "postgres", "--");
    List<String> initdb = new ArrayList<>(postgres);
    initdb.addAll(
        List.of(postgresPrograms.resolve("initdb").toString(), "-A", "trust", "-N", "-D", data));
    programs.run(0, initdb);
    int port = ReservedPort.untilTheEnd();
    List<String> server = new ArrayList<>(postgres);
    server.addAll(
        List.of(
            postgresPrograms.resolve("postgres").toString(),
            "-D",
            data,
            "-p",
            Integer.toString(port),
            "-k",
            home.toString(),
            "-c",
            "listen_addresses=127.0.0.1"));
    serve(port, server.toArray(String[]::new));
    String at = Integer.toString(open(port).getPort());
    String rows = folder.resolve("rows.txt").toString();
    List<String> psql =
        List.of("psql", "-h", "127.0.0.1", "-p", at, "-U", "postgres", "-v", "ON_ERROR_STOP=1");
    List<String> copy = new ArrayList<>(psql);
    copy.addAll(
        List.of(
            "-Atc",
            "create table t as select n, md5(n::text) from generate_series(1, 200000) n",
            "-c",
            "\\copy t to '" + rows + "'",
            "-c",
            "create table u (like t)",
            "-c",
            "\\copy u from '" + rows + "'",
            "-c",
            "select 'same ' || count(*) from (select * from t intersect select * from u) both_of"));
    assertThat(programs.run(0, copy)).contains("same 200000");
    programs.run(0, List.of("rm", "-rf", home.toString()));
  }

  private static Path postgresPrograms() throws IOException {
    Path installed = Path.of("/usr/lib/postgresql");
    boolean there = Files.isDirectory(installed);
    if (!there) {
      System.out.println(
          "SKIPPED: the PostgreSQL server is not installed (apt install postgresql)");
    }
    assumeTrue(there, "the PostgreSQL server is not installed");
    try (var versions = Files.list(installed)) {
      return versions.max(java.util.Comparator.naturalOrder()).orElseThrow().resolve("bin");
    }
  }

  @Test
  void rsyncOverSshCopiesATree() throws Exception {
    need("rsync");
    programs.needSshServer();
    int port = ReservedPort.untilTheEnd();
    serve(port, programs.sshServer(port));
    Path tree = Files.createDirectory(folder.resolve("tree"));
    byte[] bytes = new byte[5_000_000];
    new Random(4).nextBytes(bytes);
    for (int i = 0; i < 5; i++) {
      Files.write(tree.resolve("file" + i), bytes);
    }
    String shell =
        "ssh -p %d -i %s -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o IdentitiesOnly=yes"
            .formatted(open(port).getPort(), folder.resolve("user_key"));
    Path copy = folder.resolve("copy");
    programs.run(0, List.of("rsync", "-a", "-e", shell, tree + "/", "root@127.0.0.1:" + copy));
    for (int i = 0; i < 5; i++) {
      assertThat(Files.mismatch(tree.resolve("file" + i), copy.resolve("file" + i))).isEqualTo(-1);
    }
  }

  private static InetSocketAddress open(int port) {
    Chain chain = cluster.open(port);
    return Cluster.ingress(chain);
  }

  private void serve(int port, String... command) throws IOException {
    servers.add(programs.serve(port, command));
  }
}
