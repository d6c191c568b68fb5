package io.cascade.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;

/**
 * One machine that is all machines of the documents: a network of its own, in which every name of
 * the documents is an address of its loopback device. What a reader has to copy, such as a code, is
 * copied from what was printed last.
 */
final class ReadersMachine implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** A public address, as a relay takes it; it leads nowhere but to this machine's loopback. */
  private static final String PUBLIC = "93.184.216.34";

  private static final String NAMES =
      PUBLIC
          + " b.example.org primary.example.org den.example.org sea.example.org db.example.org"
          + " data.example.org control.example.net frankfurt.example.net\n127.0.0.1 localhost\n";

  private static final String SET_UP =
      """
      ip link set lo up && ip addr add %s/32 dev lo && ip addr add 10.1.0.5/32 dev lo \
      && hostname b.example.org && mount --bind hosts /etc/hosts && echo up && exec sleep infinity
      """
          .formatted(PUBLIC);

  /** Verbs that stay until they are ended, and what each prints once it serves. */
  private static final Map<String, String> STAYING =
      Map.of(
          "orchestrator", "ready at ",
          "relay", " ready",
          "receive", "receiving on ",
          "forward", ", ready",
          "gateway up", "gateway ready: ",
          "scap up", "scap ready: ");

  private static final Pattern CODE = Pattern.compile("send FILE (\\S+)\\n");
  private static final Pattern INVITATION = Pattern.compile("(cin_\\S+)");
  private static final String TOKEN = "0123456789abcdef0123456789abcdef";

  private final Path here;
  private final Path there;
  private final Process namespaces;
  private final List<Process> started = new ArrayList<>();
  private final List<Path> logs = new ArrayList<>();
  private String receive = "";
  private Process receiver;

  /**
   * @param here where commands run that end, with the files that they name
   * @param there where those run that stay, and folders are made; keys that were made here are
   *     copied to it
   */
  ReadersMachine(Path here, Path there) throws IOException {
    this.here = here;
    this.there = there;
    Files.writeString(here.resolve("hosts"), NAMES);
    for (Path folder : List.of(here, there)) {
      Files.createSymbolicLink(folder.resolve("cascade"), LauncherWithCaches.LAUNCHER);
    }
    Files.createSymbolicLink(
        here.resolve("docs"), LauncherWithCaches.LAUNCHER.resolveSibling("docs"));
    namespaces =
        new ProcessBuilder(
                "unshare",
                "--net",
                "--mount",
                "--uts",
                "--pid",
                "--fork",
                "--kill-child",
                "--mount-proc",
                "bash",
                "-c",
                SET_UP)
            .directory(here.toFile())
            .redirectErrorStream(true)
            .start();
    receiver = namespaces;
    String said = namespaces.inputReader().readLine();
    assertThat(said).isEqualTo("up");
  }

  /** Does what a reader does with a line of a document; it has to succeed. */
  Process type(String line) throws Exception {
    Optional<String> verb =
        STAYING.keySet().stream()
            .filter(one -> (line + " ").contains("./cascade " + one + " "))
            .findFirst();
    if (line.contains("CODE") && !receiver.isAlive()) {
      stay(receive, "receive");
    }
    if (verb.isPresent()) {
      return stay(line, verb.get());
    }
    Path log = log();
    Process process = start(line.startsWith("mkdir ") ? there : here, line, log);
    boolean ended = process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    assertThat(ended && process.exitValue() == 0).as(() -> line + "\n" + said(log)).isTrue();
    copyKeys();
    return process;
  }

  /** Ends what stays, as a reader does with Ctrl-C. */
  void end(Process staying) throws InterruptedException {
    staying.descendants().forEach(ProcessHandle::destroy);
    assertThat(staying.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }

  private void copyKeys() throws IOException {
    try (DirectoryStream<Path> keys = Files.newDirectoryStream(here, "*.key")) {
      for (Path key : keys) {
        Files.copy(
            key,
            there.resolve(key.getFileName()),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
  }

  private Process stay(String line, String verb) throws IOException {
    Path log = log();
    Process process = start(there, line, log);
    if (verb.equals("receive")) {
      receive = line;
      receiver = process;
    }
    // The code comes after the line by which a receiver with a key is ready.
    boolean invites = verb.equals("receive") && !line.contains("--key-file");
    Pattern ready = invites ? CODE : Pattern.compile(STAYING.getOrDefault(verb, ""));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> !process.isAlive() || ready.matcher(said(log)).find());
    assertThat(said(log)).as(line).containsPattern(ready);
    return process;
  }

  private Process start(Path at, String line, Path log) throws IOException {
    long inside = namespaces.children().findFirst().orElseThrow().pid();
    ProcessBuilder builder =
        new ProcessBuilder(
                "nsenter",
                "--target",
                Long.toString(inside),
                "--net",
                "--mount",
                "--uts",
                "--pid",
                "bash",
                "-c",
                // The folder of this process is not that of the other mount namespace.
                "cd \"$0\" && eval \"$1\"",
                at.toString(),
                copied(line))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name ->
            name.startsWith("XDG_")
                || (name.startsWith("CASCADE_")
                    && !name.equals("CASCADE_JAVA_OPTS")
                    && !name.equals("CASCADE_NO_BUILD")));
    builder.environment().put("HOME", here.toString());
    Process process = builder.start();
    started.add(process);
    return process;
  }

  /** The line with what a reader copies from what was printed before. */
  private String copied(String line) {
    return line.replaceAll("\\bCODE\\b", line.contains("CODE") ? last(CODE) : "")
        .replaceAll("cin_\\.\\.\\.", line.contains("cin_...") ? last(INVITATION) : "")
        .replaceAll("\\bTOKEN\\b", TOKEN);
  }

  private String last(Pattern pattern) {
    for (Path log : logs.reversed()) {
      Matcher found = pattern.matcher(said(log));
      if (found.find()) {
        return found.group(1);
      }
    }
    throw new AssertionError("nothing printed " + pattern);
  }

  private Path log() throws IOException {
    Path log = Files.createTempFile(here, "printed-", ".log");
    logs.add(log);
    return log;
  }

  private static String said(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (Path link :
        List.of(here.resolve("cascade"), here.resolve("docs"), there.resolve("cascade"))) {
      Files.deleteIfExists(link);
    }
    started.forEach(Process::destroyForcibly);
    namespaces.descendants().forEach(ProcessHandle::destroyForcibly);
    namespaces.destroyForcibly();
    started.forEach(process -> process.onExit().join());
  }
}
