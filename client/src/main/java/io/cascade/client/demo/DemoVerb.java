package io.cascade.client.demo;

import io.cascade.api.Json;
import io.cascade.command.Complaint;
import io.cascade.command.DataSize;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "See a cascade work: an orchestrator and relays as processes of their own on this host, and a"
          + " random file that goes through all of them.",
      "Stays until Ctrl-C, so that you can look around; everything is removed then."
    })
public final class DemoVerb implements Callable<Integer> {
  private static final int MOST_RELAYS = 8;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "1GiB",
      converter = DataSize.Converter.class,
      description = "Of the file (${DEFAULT-VALUE}).")
  private DataSize size = new DataSize(1L << 30);

  @Option(
      names = "--relays",
      paramLabel = "N",
      defaultValue = "3",
      description = "How many, 1 to " + MOST_RELAYS + " (${DEFAULT-VALUE}).")
  private int relays = 3;

  @Option(
      names = "--once",
      description = "Exit when done: 0 where everything held, 1 where anything did not.")
  private boolean once;

  @Option(
      names = "--json",
      description = "Print one JSON document on stdout, nothing else there; the story on stderr.")
  private boolean json;

  @Option(names = "--keep-files", description = "Leave the files and logs where they are.")
  private boolean keepFiles;

  @Option(
      names = "--folder",
      paramLabel = "DIR",
      description = "Where to put files and logs (a new folder in the system's temporary one).")
  private @Nullable Path parent;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The same seed makes the same file (${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--progress",
      negatable = true,
      description = "Draw a progress bar (where stderr is a terminal).")
  private @Nullable Boolean progress;

  @Override
  public Integer call() throws Exception {
    if (relays < 1 || relays > MOST_RELAYS) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--relays: " + relays + " (expected: 1 to " + MOST_RELAYS + ")");
    }
    if (size.bytes() < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--size: a demonstration needs at least one byte");
    }
    CommandLine line = spec.commandLine();
    PrintWriter story = json ? line.getErr() : line.getOut();
    Path folder = newFolder();
    AtomicBoolean stopping = new AtomicBoolean();
    try (LocalCluster cluster = new LocalCluster(folder)) {
      Thread hook =
          Thread.ofPlatform()
              .unstarted(() -> {
                stopping.set(true);
                cluster.close();
                remove(folder);
              });
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        DemoReport report =
            new Demonstration(cluster, folder, story, progress).play(relays, size.bytes(), seed);
        if (json) {
          line.getOut()
              .println(Json.lenient().writerWithDefaultPrettyPrinter().writeValueAsString(report));
          line.getOut().flush();
        }
        if (!once) {
          Demonstration.invite(report, story);
          cluster.awaitEnd();
        }
        return report.held() ? 0 : 1;
      } catch (RuntimeException | IOException e) {
        if (stopping.get()) {
          return 130; // Ctrl-C took the parts away; that is no news.
        }
        throw explained(e, cluster);
      } finally {
        if (!stopping.get()) {
          unhook(hook);
        }
      }
    } finally {
      if (!stopping.get()) {
        remove(folder);
      }
    }
  }

  /** Where a part's death explains the failure: that, with the end of the part's log before it. */
  private Exception explained(Exception failure, LocalCluster cluster) {
    Exception cause = failure;
    try {
      cluster.checkAlive(failure);
    } catch (Complaint died) {
      cause = died;
    }
    String message = String.valueOf(cause.getMessage());
    PrintWriter err = spec.commandLine().getErr();
    message.lines().skip(1).forEach(err::println);
    return cause;
  }

  private static void unhook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // Ctrl-C just now: the hook does it all.
    }
  }

  private Path newFolder() {
    try {
      return parent == null
          ? Files.createTempDirectory("cascade-demo-")
          : Files.createTempDirectory(parent, "cascade-demo-");
    } catch (IOException e) {
      throw new Complaint(
          "cannot make a folder for the demo's files: "
              + (e instanceof NoSuchFileException ? "no such folder: " + parent : e.getMessage())
              + ". Name a place with --folder",
          e);
    }
  }

  private void remove(Path folder) {
    if (keepFiles) {
      return;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // What is left is in the system's temporary folder.
    }
  }
}
