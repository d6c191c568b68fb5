package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs of others, run as a user would.
 *
 * @param folder for what they print
 * @param patience how long one may take
 */
record ClientPrograms(Path folder, Duration patience) {
  /** Skips the test, loudly, where the program is not there. */
  static void need(String program) {
    boolean there =
        Stream.concat(
                Arrays.stream(System.getenv("PATH").split(":", -1)),
                Stream.of("/usr/sbin", "/usr/local/sbin"))
            .anyMatch(path -> Files.isExecutable(Path.of(path, program)));
    if (!there) {
      System.out.printf("SKIPPED: %s is not installed (apt install it, or run .ci/run)%n", program);
    }
    assumeTrue(there, program + " is not installed");
  }

  /** Skips the test, loudly, for whoever is not root. */
  static void needRoot(String what) {
    boolean root = "root".equals(System.getProperty("user.name"));
    if (!root) {
      System.out.println("SKIPPED: " + what + " needs root");
    }
    assumeTrue(root, "needs root");
  }

  /** Makes {@code host_key} and {@code user_key} for a server of our own, which needs root. */
  void needSshServer() throws Exception {
    need("sshd");
    need("ssh-keygen");
    needRoot("an ssh server of our own");
    Files.createDirectories(Path.of("/run/sshd"));
    for (String key : List.of("host_key", "user_key")) {
      String file = folder.resolve(key).toString();
      run(0, List.of("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", file));
    }
  }

  /** An ssh server that knows these keys; after {@link #needSshServer}. */
  String[] sshServer(int port) {
    return new String[] {
      "/usr/sbin/sshd",
      "-D",
      "-e",
      "-f",
      "/dev/null",
      "-h",
      folder.resolve("host_key").toString(),
      "-p",
      Integer.toString(port),
      "-o",
      "ListenAddress=127.0.0.1",
      "-o",
      "AuthorizedKeysFile=" + folder.resolve("user_key.pub"),
      "-o",
      "StrictModes=no",
      "-o",
      "PidFile=none",
      "-o",
      "UsePAM=no",
      "-o",
      "PermitRootLogin=prohibit-password"
    };
  }

  /** Starts one that goes on, and waits until it listens. */
  Process serve(int port, String... command) throws IOException {
    Process server =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("server-" + port + ".log").toFile())
            .start();
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
    return server;
  }

  /** Runs one to its end; what it printed. */
  String run(int expected, List<String> command) throws Exception {
    Path output = Files.createTempFile(folder, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    // A proxy of whoever runs the tests is none of theirs.
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(Locale.ROOT).endsWith("_proxy"));
    Process process = builder.start();
    assertThat(process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS))
        .as("%s ended", command)
        .isTrue();
    String text = Files.readString(output);
    assertThat(process.exitValue()).as("%s%n%s", command, text).isEqualTo(expected);
    return text;
  }
}
