package io.cascade.studies.transfers;

import io.cascade.command.CommandException;
import io.cascade.command.TemporaryFolder;
import io.cascade.lab.process.CascadeCommand;
import io.cascade.lab.process.RandomFile;
import io.cascade.studies.rivals.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Cost of sealing: a file over loopback, where only the processors limit the rate. */
final class SealTrial {
  static final long BYTES = 1_000_000_000;

  private static final Pattern LISTENING = Pattern.compile("receiving on \\S+:(\\d+)");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long POLL_NANOS = Duration.ofMillis(5).toNanos();

  private final CascadeCommand cascade;
  private final Path folder;
  private final Path file;
  private final Path key;

  /**
   * @param folder to work in, which nothing else uses
   */
  SealTrial(CascadeCommand cascade, Path folder) throws IOException {
    this.cascade = cascade;
    this.folder = folder;
    this.file = folder.resolve("sealed");
    this.key = Files.write(folder.resolve("sealing-key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    RandomFile.write(file, BYTES, 1);
  }

  /** Sends the file once. */
  SealResult run(boolean sealed, int repetition) throws IOException, InterruptedException {
    Path into = Files.createTempDirectory(folder, "into");
    List<String> access =
        sealed ? List.of("--key-file", key.toString()) : List.of("--open-to-anyone");
    try (Program receiver =
        program(
            "receive",
            Stream.concat(
                Stream.of("--listen", "127.0.0.1:0", "--output", into.toString()),
                access.stream()))) {
      String port = receiver.awaitSaid(LISTENING, PATIENCE).group(1);
      long start = System.nanoTime();
      try (Program sender =
          program(
              "send",
              Stream.concat(
                  Stream.of(file.toString(), "--to", "127.0.0.1:" + port, "--direct"),
                  sealed ? access.stream() : Stream.of()))) {
        double seconds = awaitEnd(sender, receiver, start);
        if (Files.mismatch(file, into.resolve(file.getFileName())) >= 0) {
          throw new CommandException("another file has arrived");
        }
        double processor =
            (sender.processorTime().toNanos() + receiver.processorTime().toNanos()) / 1e9;
        return new SealResult(sealed, repetition, BYTES, seconds, processor);
      }
    } finally {
      TemporaryFolder.remove(into);
    }
  }

  /**
   * Reads the processes' processor time until both have ended; returns the sender's duration in
   * seconds.
   */
  private static double awaitEnd(Program sender, Program receiver, long start)
      throws IOException, InterruptedException {
    double seconds = 0;
    for (Program end : List.of(sender, receiver)) {
      while (end.exit().isEmpty()) {
        sender.readProcessorTime();
        receiver.readProcessorTime();
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          throw new CommandException("it goes on for " + PATIENCE.toSeconds() + " s");
        }
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      }
      if (end.exit().getAsInt() != 0) {
        throw new CommandException(end.lastWords());
      }
      seconds = end.equals(sender) ? (System.nanoTime() - start) / 1e9 : seconds;
    }
    return seconds;
  }

  private Program program(String verb, Stream<String> options) throws IOException {
    ProcessBuilder builder =
        cascade.verb(
            Stream.concat(Stream.of(verb, "--no-progress"), options).toArray(String[]::new));
    builder.environment().put("XDG_STATE_HOME", folder.toString());
    return new Program(builder, folder.resolve(verb + ".log"));
  }
}
