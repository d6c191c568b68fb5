package io.cascade.client.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.client.ClientFailures;
import io.cascade.client.ways.TemporaryChain;
import io.cascade.command.Verbs;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code forward} as a person meets it. */
@Timeout(60)
@SuppressWarnings("NullAway.Init")
class ForwardVerbTest {
  @TempDir Path folder;

  private Path key;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void makeKey() throws IOException {
    key = key("key", 32);
  }

  private Path key(String name, int bytes) throws IOException {
    Path file = Files.write(folder.resolve(name), new byte[bytes]);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void saysHowToMakeAKey() throws IOException {
    Path none = folder.resolve("none");
    assertThat(run("--listen", "0", "--to", "127.0.0.1:9", "--key-file", none.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("fix: (umask 077; openssl rand -hex 32 > " + none);
    Path shortOne = key("short", 15);
    assertThat(run("--listen", "0", "--to", "127.0.0.1:9", "--key-file", shortOne.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("is too short");
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r-----", "rw--w----", "rw----r--", "rw-----w-"})
  void refusesAKeyThatOthersCanReadOrWrite(String permissions) throws IOException {
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(permissions));

    assertThat(near("127.0.0.1:9")).isEqualTo(1);
    assertThat(err.toString()).contains("fix: chmod 600 " + key);
  }

  @Test
  void refusesWhatLeavesNoWay() {
    assertThat(near("127.0.0.1:9", "--no-direct", "--chains", "0")).isEqualTo(1);
    assertThat(err.toString()).contains("0 pipes in all (expected: 0 to 4 chains, 1 to 16 pipes)");
    assertThat(near("127.0.0.1:9", "--parallel", "9")).isEqualTo(1);
    assertThat(near("127.0.0.1:9", "--scheduler", "best")).isEqualTo(2);
    assertThat(err.toString()).contains("expected: earliest, round-robin or duplicate");
  }

  @Test
  void oneOfListenAndAccept() {
    assertThat(run("--to", "127.0.0.1:9", "--key-file", key.toString())).isEqualTo(2);
    assertThat(
            run(
                "--listen",
                "0",
                "--accept",
                "0",
                "--to",
                "127.0.0.1:9",
                "--key-file",
                key.toString()))
        .isEqualTo(2);
  }

  @Test
  void carriesAStreamOverChainsThatItOpens() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator();
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread far = accepting(destination);
      String at = awaited("accepting pipes on (127\\.0\\.0\\.1:\\d+) to \\S+, ready");
      Thread near =
          verb(
              "--listen",
              "0",
              "--to",
              at,
              "--key-file",
              key.toString(),
              "--orchestrator",
              orchestrator.url(),
              "--no-direct",
              "--via",
              "r1",
              "--via",
              "r2");
      String listening = awaited("forwarding 127\\.0\\.0\\.1:(\\d+) to \\S+, ready");
      try (Socket client =
              new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(listening));
          Socket server = destination.accept()) {
        client.getOutputStream().write(new byte[] {1, 2, 3});
        client.shutdownOutput();
        assertThat(server.getInputStream().readAllBytes()).containsExactly(1, 2, 3);
      }
      awaited("chain 1 via (r1) is open");
      awaited("chain 2 via (r2) is open");
      assertThat(orchestrator.opened)
          .allSatisfy(chain -> {
            assertThat(chain.destination()).isEqualTo(at);
            assertThat(chain.name()).startsWith("forward-");
            assertThat(chain.timeToLiveSeconds()).isEqualTo(TemporaryChain.TIME_TO_LIVE_SECONDS);
          })
          .extracting(chain -> chain.via())
          .containsExactlyInAnyOrder(List.of("r1"), List.of("r2"));
      near.interrupt();
      far.interrupt();
      near.join();
      far.join();
    }
  }

  @Test
  void aRunningStreamIsMovedBeforeARelayOfItsChainHasDrained() throws Exception {
    try (FakeOrchestrator orchestrator = new FakeOrchestrator();
        ServerSocket destination = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread far = accepting(destination);
      String at = awaited("accepting pipes on (127\\.0\\.0\\.1:\\d+) to \\S+, ready");
      Thread near =
          verb(
              "--listen",
              "0",
              "--to",
              at,
              "--key-file",
              key.toString(),
              "--orchestrator",
              orchestrator.url(),
              "--no-direct",
              "--chains",
              "1");
      String listening = awaited("forwarding 127\\.0\\.0\\.1:(\\d+) to \\S+, ready");
      try (Socket client =
              new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(listening));
          Socket server = destination.accept()) {
        client.getOutputStream().write(1);
        assertThat(server.getInputStream().read()).isEqualTo(1);
        awaited("chain 1 via (r1, r2) is open");
        orchestrator.draining = Set.of("r1");
        awaited("(r1) on it drains; opening another one");
        awaited("stream 1 moved to the pipe (via r2)");
        client.getOutputStream().write(2);
        client.shutdownOutput();
        assertThat(server.getInputStream().readAllBytes()).containsExactly(2);
      }
      assertThat(orchestrator.calls).filteredOn(call -> call.startsWith("DELETE")).hasSize(1);
      assertThat(awaited("stream 1: complete; .* pipes lost (\\d+)")).isEqualTo("0");
      near.interrupt();
      far.interrupt();
      near.join();
      far.join();
    }
  }

  private int near(String to, String... more) {
    String[] arguments = {"--listen", "0", "--to", to, "--key-file", key.toString()};
    return run(
        java.util.stream.Stream.of(arguments, more)
            .flatMap(java.util.Arrays::stream)
            .toArray(String[]::new));
  }

  /** Starts the verb beside a destination. */
  private Thread accepting(ServerSocket destination) {
    return verb(
        "--accept",
        "127.0.0.1:0",
        "--to",
        "127.0.0.1:" + destination.getLocalPort(),
        "--key-file",
        key.toString());
  }

  private Thread verb(String... arguments) {
    return Thread.ofVirtual().start(() -> run(arguments));
  }

  private String awaited(String line) throws InterruptedException {
    Pattern pattern = Pattern.compile(line);
    while (true) {
      for (StringWriter output : List.of(out, err)) {
        Matcher found = pattern.matcher(output.toString());
        if (found.find()) {
          return found.group(1);
        }
      }
      Thread.sleep(5);
    }
  }

  private int run(String... arguments) {
    CommandLine line = new CommandLine(new Root());
    line.addSubcommand("forward", new ForwardVerb());
    Verbs.prepare(line, Map.of("XDG_CONFIG_HOME", folder.toString()), new ClientFailures());
    line.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
    String[] all = new String[arguments.length + 1];
    all[0] = "forward";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    return line.execute(all);
  }

  @Command(name = "cascade")
  static final class Root implements Runnable {
    @Override
    public void run() {}
  }
}
