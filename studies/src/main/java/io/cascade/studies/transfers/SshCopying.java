package io.cascade.studies.transfers;

import io.cascade.command.CommandException;
import io.cascade.lab.Site;
import io.cascade.studies.rivals.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** rsync, scp and rclone, over ssh. */
final class SshCopying implements Copying {
  private static final long ENDING_NANOS = Duration.ofSeconds(30).toNanos();
  private static final long POLL_NANOS = Duration.ofMillis(100).toNanos();

  private final Contender contender;
  private final Site client;
  private final SshServer ssh;
  private final Path source;
  private final Path into;
  private final Path logs;
  private @Nullable Program program;

  SshCopying(Contender contender, Site client, SshServer ssh, Path source, Path into, Path logs) {
    this.contender = contender;
    this.client = client;
    this.ssh = ssh;
    this.source = source;
    this.into = into;
    this.logs = logs;
  }

  static boolean isBy(Contender contender) {
    return switch (contender) {
      case RSYNC, SCP, RCLONE -> true;
      case SEND, TAR, CROC -> false;
    };
  }

  @Override
  public void start() throws IOException {
    program = new Program(client, command(), Map.of(), logs, contender.name());
  }

  private List<String> command() throws IOException {
    String there = SshServer.HOST + ":" + into + "/";
    return switch (contender) {
      case RSYNC -> {
        List<String> command = new ArrayList<>(List.of("rsync", "-aS"));
        if (Files.isRegularFile(source)) {
          // Options to continue after an interruption, which change nothing without one.
          command.set(1, "-a");
          command.addAll(List.of("--partial", "--append-verify"));
        }
        command.addAll(List.of("-e", "ssh -F " + ssh.settings(), source.toString(), there));
        yield command;
      }
      case SCP ->
          List.of("scp", "-q", "-rp", "-F", ssh.settings().toString(), source.toString(), there);
      case RCLONE ->
          List.of(
              "rclone",
              "--config",
              "/dev/null",
              "copy",
              "--links",
              "--metadata",
              "--create-empty-src-dirs",
              "--sftp-host=" + ssh.address(),
              "--sftp-port=" + ssh.port(),
              "--sftp-user=" + ssh.user(),
              "--sftp-key-file=" + ssh.key(),
              "--sftp-known-hosts-file=" + ssh.knownHosts(),
              source.toString(),
              ":sftp:" + (Files.isDirectory(source) ? into.resolve(source.getFileName()) : into));
      default -> throw new IllegalArgumentException("not over ssh: " + contender);
    };
  }

  @Override
  public void awaitEnd(long deadlineNanos) throws Exception {
    Objects.requireNonNull(program).awaitEnd(deadlineNanos);
  }

  @Override
  public void kill(End end) throws InterruptedException {
    switch (end) {
      case SENDER -> Objects.requireNonNull(program).kill();
      case RECEIVER -> far().forEach(ProcessHandle::destroyForcibly);
    }
  }

  /** Processes at the server's host; all hosts of a lab share the machine's process table. */
  private List<ProcessHandle> far() {
    return ProcessHandle.allProcesses().filter(process -> isFar(process.info())).toList();
  }

  /** Whether the process is the server's: ssh at the client's host has the same arguments. */
  private boolean isFar(ProcessHandle.Info process) {
    return process.command().filter(command -> command.endsWith("/rsync")).isPresent()
        && process
            .commandLine()
            .filter(line -> line.contains(" --server ") && line.endsWith(into + "/"))
            .isPresent();
  }

  /**
   * Waits until the surviving end has ended and its partial file is complete, before the same
   * command runs again.
   */
  @Override
  public void again(End killed) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + ENDING_NANOS;
    while (!far().isEmpty() || Objects.requireNonNull(program).exit().isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new CommandException(contender.title() + " did not notice the other end's death");
      }
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
    start();
  }

  @Override
  public void close() {
    Program started = program;
    if (started != null) {
      started.close();
    }
  }
}
