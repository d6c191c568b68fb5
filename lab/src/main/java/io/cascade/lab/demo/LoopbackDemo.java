package io.cascade.lab.demo;

import io.cascade.api.Json;
import io.cascade.api.client.UnreachableException;
import io.cascade.client.transfer.connection.TransferFailed;
import io.cascade.command.CommandException;
import io.cascade.command.StopHook;
import io.cascade.command.TemporaryFolder;
import io.cascade.lab.process.LocalCluster;
import io.cascade.lab.process.WorkFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * The demonstration over loopback: an orchestrator and relays as processes of their own on this
 * host, and a random file that goes through all of them.
 */
public final class LoopbackDemo {
  private static final int MOST_RELAYS = 8;
  private static final long USUAL_BYTES = 1L << 30;

  private final CommandLine line;
  private final boolean once;
  private final boolean json;
  private final long seed;
  private final Settings settings;

  /**
   * Settings of this demonstration alone.
   *
   * @param bytes of the file; null for the usual
   * @param relays how many
   * @param keepFiles leave files and logs where they are
   * @param parent where to put files and logs; null for the system's temporary folder
   * @param progress draw a progress bar; null where there is a terminal
   */
  public record Settings(
      @Nullable Long bytes,
      int relays,
      boolean keepFiles,
      @Nullable Path parent,
      @Nullable Boolean progress) {}

  /**
   * @param line where it prints, and whose options these are
   * @param once end when done; otherwise stay until Ctrl-C
   * @param json print a document on stdout, and the story on stderr
   * @param seed the same seed makes the same file
   */
  public LoopbackDemo(CommandLine line, boolean once, boolean json, long seed, Settings settings) {
    this.line = line;
    this.once = once;
    this.json = json;
    this.seed = seed;
    this.settings = settings;
  }

  /**
   * Shows it.
   *
   * @return the exit code: 0 where everything held
   */
  public int run() throws Exception {
    int relays = settings.relays();
    long bytes = settings.bytes() == null ? USUAL_BYTES : settings.bytes();
    if (relays < 1 || relays > MOST_RELAYS) {
      throw new ParameterException(
          line, "--relays: " + relays + " (expected: 1 to " + MOST_RELAYS + ")");
    }
    DemoOutput story = new DemoOutput(json ? line.getErr() : line.getOut());
    Path folder = newFolder();
    try (LocalCluster cluster = new LocalCluster(WorkFolder.in(folder).command(), folder);
        StopHook hook =
            StopHook.install(() -> {
              cluster.close();
              remove(folder);
            })) {
      try {
        return show(cluster, folder, story, relays, bytes);
      } catch (RuntimeException | IOException e) {
        if (hook.isStopping()) {
          return 130; // Ctrl-C took the parts away; that is no news.
        }
        throw explained(e, cluster);
      }
    } finally {
      remove(folder);
    }
  }

  private int show(LocalCluster cluster, Path folder, DemoOutput story, int relays, long bytes)
      throws IOException, InterruptedException {
    LoopbackReport report =
        new Demonstration(cluster, folder, story, settings.progress()).play(relays, bytes, seed);
    if (json) {
      line.getOut()
          .println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report));
      line.getOut().flush();
    }
    if (!once) {
      story.invite(report.orchestrator());
      cluster.awaitEnd();
    }
    return report.held() ? 0 : 1;
  }

  /** Replaces a failure by the death of a part that explains it. */
  private static Exception explained(Exception failure, LocalCluster cluster) {
    try {
      if (failure instanceof UnreachableException || failure instanceof TransferFailed) {
        cluster.checkAlive();
      }
      return failure;
    } catch (CommandException died) {
      return died;
    }
  }

  private Path newFolder() {
    try {
      return settings.parent() == null
          ? Files.createTempDirectory("cascade-demo-")
          : Files.createTempDirectory(settings.parent(), "cascade-demo-");
    } catch (IOException e) {
      throw new CommandException(
          "cannot make a folder for the demo's files: "
              + (e instanceof NoSuchFileException
                  ? "no such folder: " + settings.parent()
                  : e.getMessage())
              + ". Name a place with --folder",
          e);
    }
  }

  private void remove(Path folder) {
    if (settings.keepFiles()) {
      return;
    }
    TemporaryFolder.remove(folder);
  }
}
