package io.cascade.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lab, relays and all, of a user who may do nothing that others may not. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class UnprivilegedLabTest {
  private static final String NOBODY = "65534";

  /**
   * A device that is everybody's, as most systems have it. Ours alone, in a namespace of mounts.
   */
  private static final String BECOME_NOBODY =
      """
      mount -t tmpfs tmpfs /mnt && mknod /mnt/tun c 10 200 && chmod 666 /mnt/tun &&
      mount --bind /mnt/tun /dev/net/tun &&
      exec setpriv --reuid %1$s --regid %1$s --clear-groups "$@"
      """
          .formatted(NOBODY);

  private static final String TOPOLOGY =
      """
      name: of-nobody
      seed: 1
      congestion-control: reno # the one that every system allows everybody
      orchestrator: a
      sites:
        a:
        b: {relays: [r1]}
        c:
      links:
        - {between: [a, b], rtt: 10ms, rate: 100Mbit}
        - {between: [b, c], rtt: 10ms, rate: 100Mbit}
      """;

  @TempDir static Path folder;
  private static Path programs;

  @BeforeAll
  static void becomeNobody() throws Exception {
    boolean root = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    assumeTrue(root, "SKIPPED: labs without privileges need root here, to become nobody");
    assumeTrue(Files.exists(Path.of("/dev/net/tun")), "SKIPPED: labs need /dev/net/tun");
    assumeTrue(
        nobody("unshare", "-Urnm", "true").exit() == 0,
        "SKIPPED: labs without privileges, since this system allows user namespaces to root only");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    programs = Files.createDirectory(folder.resolve("programs"));
    copyPrograms();
    Files.writeString(folder.resolve("of-nobody.yaml"), TOPOLOGY);
  }

  @Test
  void carriesAFileThroughARelayAndLeavesNothing() throws Exception {
    byte[] bytes = new byte[3 << 20];
    new Random(1).nextBytes(bytes);
    Path sent = Files.write(folder.resolve("sent"), bytes);
    Path arrived = folder.resolve("arrived");
    Ran down;
    try {
      Ran up = cascade("lab", "up", folder.resolve("of-nobody.yaml").toString());
      assertThat(up.exit()).as(up.text()).isZero();
      Process receiver =
          start(
              inside(
                  "c",
                  "receive",
                  "--open-to-anyone",
                  "--listen",
                  "0.0.0.0:7000",
                  "--output",
                  arrived.toString()));

      Ran send = nobody(inside("a", "send", sent.toString(), "--to", "c:7000", "--via", "r1"));

      assertThat(send.exit()).as(send.text()).isZero();
      assertThat(receiver.waitFor()).isZero();
      assertThat(Files.readAllBytes(arrived)).isEqualTo(bytes);
    } finally {
      down = cascade("lab", "down", "of-nobody");
    }
    assertThat(down.exit()).as(down.text()).isZero();
    assertThat(processesOfNobody()).isEmpty();
  }

  /** Copies the programs: the folder of this build may be closed to others. */
  private static void copyPrograms() throws IOException {
    int number = 0;
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path from = Path.of(entry);
      Path to = programs.resolve(number++ + "-" + from.getFileName());
      // The browser driver is of no use here, and large.
      if (!Files.exists(from) || entry.contains("driver-bundle")) {
        continue;
      }
      try (Stream<Path> files = Files.walk(from)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          Files.copy(file, to.resolve(from.relativize(file).toString()));
        }
      }
    }
    Process readable = new ProcessBuilder("chmod", "-R", "a+rX", programs.toString()).start();
    assertThat(readable.onExit().join().exitValue()).isZero();
  }

  private static String[] inside(String site, String... verb) {
    List<String> command = new ArrayList<>(List.of(java("lab", "exec", site)));
    command.addAll(List.of(java(verb)));
    return command.toArray(String[]::new);
  }

  private static String[] java(String... verb) {
    String classPath;
    try (Stream<Path> all = Files.list(programs)) {
      classPath = String.join(":", all.map(Path::toString).sorted().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                classPath,
                "io.cascade.Cascade"));
    command.addAll(Arrays.asList(verb));
    return command.toArray(String[]::new);
  }

  private static Ran cascade(String... verb) throws Exception {
    return nobody(java(verb));
  }

  private record Ran(int exit, String text) {}

  private static Ran nobody(String... command) throws Exception {
    Process process = start(command);
    String text = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ran(process.waitFor(), text);
  }

  private static Process start(String... command) throws IOException {
    List<String> all =
        new ArrayList<>(
            List.of("unshare", "-m", "--propagation", "private", "sh", "-c", BECOME_NOBODY, "sh"));
    all.addAll(Arrays.asList(command));
    ProcessBuilder builder = new ProcessBuilder(all).redirectErrorStream(true);
    builder.environment().keySet().removeIf(name -> name.startsWith("CASCADE_"));
    builder.environment().put("HOME", folder.toString());
    builder.environment().put("XDG_RUNTIME_DIR", folder.toString());
    // The folder of the virtual machine's counters would outlive the test in /tmp.
    builder.environment().put("JDK_JAVA_OPTIONS", "-XX:-UsePerfData");
    return builder.directory(folder.toFile()).start();
  }

  private static List<String> processesOfNobody() {
    return ProcessHandle.allProcesses()
        .flatMap(process -> process.info().commandLine().stream())
        .filter(line -> line.contains(folder.toString()))
        .toList();
  }
}
