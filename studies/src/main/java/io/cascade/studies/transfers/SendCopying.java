package io.cascade.studies.transfers;

import io.cascade.command.CommandException;
import io.cascade.studies.rivals.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code send} with the code that {@code receive} printed; the receiver waits before the time
 * starts.
 */
final class SendCopying implements Copying {
  private static final int PORT = 9_000;
  private static final Pattern CODE = Pattern.compile("send FILE (\\S+)");
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration ENDING = Duration.ofSeconds(60);

  private final TransferLab lab;
  private final Path source;
  private final Path into;
  private final Path logs;

  /** Whether tar packs the source into one file, which the receiver does not unpack. */
  private final boolean isPacked;

  private String code = "";
  private @Nullable Program receiver;
  private @Nullable Program sender;

  SendCopying(TransferLab lab, Path source, Path into, Path logs, boolean isPacked) {
    this.lab = lab;
    this.source = source;
    this.into = into;
    this.logs = logs;
    this.isPacked = isPacked;
  }

  @Override
  public void prepare() throws IOException, InterruptedException {
    List<String> verb =
        List.of(
            "receive",
            "--no-progress",
            "--listen",
            "0.0.0.0:" + PORT,
            "--address",
            lab.server().address(),
            "--output",
            into.toString());
    Program started = new Program(withState(lab.server().verb(verb)), logs.resolve("receive.log"));
    receiver = started;
    code = started.awaitSaid(CODE, READY).group(1);
  }

  @Override
  public void start() throws IOException {
    ProcessBuilder send =
        withState(
            lab.client()
                .verb(
                    isPacked
                        ? List.of("send", "-", code, "--name", tar(), "--direct", "--no-progress")
                        : List.of("send", source.toString(), code, "--direct", "--no-progress")));
    Path log = logs.resolve("send.log");
    sender =
        isPacked
            ? new Program(
                lab.client()
                    .process(
                        List.of(
                            "tar",
                            "-C",
                            Objects.requireNonNull(source.getParent()).toString(),
                            "-cf",
                            "-",
                            source.getFileName().toString())),
                send,
                log)
            : new Program(send, log);
  }

  private String tar() {
    return source.getFileName() + ".tar";
  }

  /**
   * Sets a state folder in the lab. Verbs store codes of unfinished transfers, and those of the
   * user must not be used here.
   */
  private ProcessBuilder withState(ProcessBuilder verb) {
    verb.environment().put("XDG_STATE_HOME", lab.folder().toString());
    return verb;
  }

  @Override
  public void awaitEnd(long deadlineNanos) throws Exception {
    Objects.requireNonNull(sender).awaitEnd(deadlineNanos);
  }

  @Override
  public void finish() throws Exception {
    Objects.requireNonNull(receiver).awaitEnd(System.nanoTime() + ENDING.toNanos());
    if (isPacked) {
      Path packed = into.resolve(tar());
      Process tar =
          new ProcessBuilder("tar", "-C", into.toString(), "-xpf", packed.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (tar.waitFor() != 0) {
        throw new CommandException("tar cannot unpack what has arrived");
      }
      Files.delete(packed);
    }
  }

  @Override
  public void kill(End end) throws InterruptedException {
    Objects.requireNonNull(end == End.SENDER ? sender : receiver).kill();
  }

  /** The other end continues by itself. */
  @Override
  public void again(End killed) throws IOException, InterruptedException {
    switch (killed) {
      case SENDER -> start();
      case RECEIVER -> prepare();
    }
  }

  @Override
  public void close() {
    for (Program one : new @Nullable Program[] {sender, receiver}) {
      if (one != null) {
        one.close();
      }
    }
  }
}
