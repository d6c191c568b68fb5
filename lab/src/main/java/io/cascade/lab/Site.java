package io.cascade.lab;

import io.cascade.command.CommandException;
import io.cascade.kernel.NetworkNamespace;
import io.cascade.lab.LabState.SiteState;
import io.cascade.lab.process.CascadeCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A site of a lab that is up. Names of sites resolve at every site: {@code ping b}. */
public final class Site {
  private final LabState lab;
  private final SiteState state;
  private final LabFolder folder;

  Site(LabFolder folder, LabState lab, SiteState state) {
    this.folder = folder;
    this.lab = lab;
    this.state = state;
  }

  public String name() {
    return state.name();
  }

  /** The site's own address, reachable from every other site, such as 10.77.0.1. */
  public String address() {
    return state.address();
  }

  /**
   * Builds a process to run here, for the caller to configure and start; the process is the command
   * itself, so signals reach it. Its environment names the orchestrator and the token. It ends with
   * the lab.
   */
  public ProcessBuilder process(List<String> command) {
    List<String> entered = new ArrayList<>(List.of("nsenter"));
    if (lab.unprivileged()) {
      entered.add("--user=/proc/%d/ns/user".formatted(lab.hostPid()));
      entered.add("--preserve-credentials");
    }
    entered.add("--net=" + state.network());
    entered.addAll(
        List.of(
            "unshare",
            "--mount",
            "sh",
            "-c",
            "mount --bind \"$0\" /etc/hosts && exec \"$@\"",
            folder.hosts().toString()));
    entered.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(entered);
    Map<String, String> environment = builder.environment();
    environment.putAll(folder.mark(lab.id()));
    environment.put("CASCADE_TOKEN", lab.token());
    environment.put("CASCADE_TLS", "off"); // The lab's networks are isolated.
    if (lab.orchestrator() != null) {
      environment.put("CASCADE_ORCHESTRATOR", lab.orchestrator());
    }
    return builder;
  }

  /**
   * Builds a verb of this Cascade to run here, as {@link #process} does, without the terminal and
   * the user's own settings. Its standard input is empty.
   */
  public ProcessBuilder verb(List<String> arguments) {
    ProcessBuilder own =
        CascadeCommand.ofThisProcess(folder.settings()).verb(arguments.toArray(String[]::new));
    List<String> command = new ArrayList<>(List.of("setsid"));
    command.addAll(own.command());
    ProcessBuilder there = process(command);
    // The launcher's variables without the user's settings, then those of the lab.
    Map<String, String> lab = new HashMap<>(there.environment());
    there.environment().clear();
    there.environment().putAll(own.environment());
    for (String mine :
        List.of(LabProcesses.MARK, "CASCADE_TOKEN", "CASCADE_TLS", "CASCADE_ORCHESTRATOR")) {
      String value = lab.get(mine);
      if (value != null) {
        there.environment().put(mine, value);
      }
    }
    return there.redirectInput(Path.of("/dev/null").toFile());
  }

  /** Starts a {@link #process}; both its outputs can be read from it. */
  public Process start(String... command) {
    try {
      return process(List.of(command)).start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end, a minute at most. */
  public Ran run(String... command) {
    return run(Duration.ofMinutes(1), command);
  }

  /**
   * Runs a command to its end.
   *
   * @throws CommandException where it takes longer; it is killed then
   */
  public Ran run(Duration patience, String... command) {
    Process process = start(command);
    try {
      process.getOutputStream().close();
      CompletableFuture<String> out = reading(process.getInputStream());
      CompletableFuture<String> err = reading(process.getErrorStream());
      if (!process.waitFor(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new CommandException(
            "at %s: '%s' took longer than %d s"
                .formatted(name(), String.join(" ", command), patience.toSeconds()));
      }
      return new Ran(process.exitValue(), out.get(), err.get());
    } catch (IOException | ExecutionException e) {
      throw new CommandException("at " + name() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static CompletableFuture<String> reading(InputStream stream) {
    CompletableFuture<String> text = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try (stream) {
            text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
          } catch (IOException e) {
            text.completeExceptionally(e);
          }
        });
    return text;
  }

  /**
   * Runs a task on a new thread in this site's network namespace. Sockets that it opens belong to
   * the site for their whole life, whichever thread uses them; threads that it starts are in the
   * namespace too, including those of an HTTP client that it creates. Names of sites do not
   * resolve: use {@link #address}.
   *
   * @throws CommandException where the lab is in a user namespace, which a running process cannot
   *     enter
   */
  public <T> T call(Callable<T> task) throws Exception {
    if (lab.unprivileged()) {
      throw new CommandException(
          "this process cannot enter the lab's user namespace. Run it as root, or under: unshare"
              + " -Urnm");
    }
    CompletableFuture<T> answer = new CompletableFuture<>();
    Thread.ofPlatform()
        .daemon()
        .name("at-" + name())
        .start(() -> {
          try {
            NetworkNamespace.enter(state.network());
            answer.complete(task.call());
          } catch (Throwable e) {
            answer.completeExceptionally(e);
          }
        });
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Output of a command, and its exit code. */
  public record Ran(int exitCode, String out, String err) {}
}
