package io.cascade.orchestrator;

import io.cascade.api.client.OrchestratorClient;
import io.cascade.testing.ReservedPort;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/** An orchestrator that can be killed, with its state in a file and always on the same port. */
final class OrchestratorProcess implements AutoCloseable {
  private final Path state;
  private final URI address;
  private @Nullable Process process;

  private OrchestratorProcess(Path state, int port) {
    this.state = state;
    this.address = URI.create("http://127.0.0.1:" + port);
  }

  static OrchestratorProcess start(Path state) {
    OrchestratorProcess made = new OrchestratorProcess(state, ReservedPort.untilTheEnd());
    made.startAgain();
    return made;
  }

  /** Its folder for temporary files. */
  Path temporary() {
    return temporary(state);
  }

  private static Path temporary(Path state) {
    return state.resolve("temporary");
  }

  /** Returns when it serves. */
  void startAgain() {
    try {
      process = launch("-XX:SharedArchiveFile=" + Prepared.ARCHIVE, address.getPort(), state);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Process launch(String archive, int port, Path state) throws IOException {
    Process started =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                archive,
                "-Xlog:disable",
                "-Djava.io.tmpdir=" + Files.createDirectories(temporary(state)),
                "-cp",
                Prepared.CLASS_PATH,
                OrchestratorCommandTest.Main.class.getName(),
                "--listen",
                "127.0.0.1:" + port,
                "--state-dir",
                state.toString(),
                "--heartbeat",
                "0.2")
            .redirectErrorStream(true)
            .start();
    awaitReady(started);
    return started;
  }

  /**
   * What starting takes, written down by one that ends in good order: it halves the processor time
   * of those that are killed a moment after they serve. An archive of classes is of jars alone.
   */
  private static final class Prepared {
    static final Path FOLDER = Path.of("target", "orchestrator-process");
    static final Path ARCHIVE = FOLDER.resolve("classes.jsa");
    static final String CLASS_PATH = jars();

    static {
      try {
        Process rehearsal =
            launch(
                "-XX:ArchiveClassesAtExit=" + ARCHIVE,
                0,
                Files.createTempDirectory(FOLDER, "state"));
        rehearsal.destroy();
        rehearsal.waitFor();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }

    private static String jars() {
      List<String> jars = new ArrayList<>();
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        jars.add(Files.isDirectory(Path.of(entry)) ? packed(entry, jars.size()) : entry);
      }
      return String.join(File.pathSeparator, jars);
    }

    private static String packed(String folder, int number) {
      try {
        Files.createDirectories(FOLDER);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      String jar = FOLDER.resolve(number + ".jar").toString();
      int exit =
          ToolProvider.findFirst("jar")
              .orElseThrow()
              .run(System.out, System.err, "--create", "--file", jar, "-C", folder, ".");
      if (exit != 0) {
        throw new IllegalStateException("jar exited with " + exit);
      }
      return jar;
    }
  }

  private static void awaitReady(Process started) throws IOException {
    BufferedReader output = started.inputReader();
    StringBuilder said = new StringBuilder();
    for (String line = output.readLine(); line != null; line = output.readLine()) {
      said.append(line).append('\n');
      if (line.contains(" ready at ")) {
        Thread.ofVirtual().start(() -> drain(output));
        return;
      }
    }
    throw new AssertionError("the orchestrator ended before it was ready:\n" + said);
  }

  /** Reads what it says, so that it never waits for a reader. */
  private static void drain(BufferedReader output) {
    try {
      while (output.readLine() != null) {
        // of no interest
      }
    } catch (IOException e) {
      // killed
    }
  }

  /** SIGKILL. Returns when nothing of it is left. */
  void kill() {
    Process running = process;
    if (running == null) {
      return;
    }
    running.destroyForcibly();
    try {
      if (!running.waitFor(30, TimeUnit.SECONDS)) {
        throw new AssertionError("not even SIGKILL ended " + running.pid());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  OrchestratorClient client() {
    return new OrchestratorClient(address, null);
  }

  List<FakeRelay> live(String... names) {
    return java.util.Arrays.stream(names).map(name -> relay(name).live()).toList();
  }

  /** Not yet registered. */
  FakeRelay relay(String name) {
    return FakeRelay.named(name, client(), null);
  }

  @Override
  public void close() {
    kill();
  }
}
