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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A file from a {@code send} to a {@code receive} with a key over loopback, while SIGKILL ends one
 * of them or both at random times. A killed process is started again by the same command after a
 * random pause, and so is a {@code send} that gave up. Finally the file is compared.
 */
final class KillTrial {
  private static final int BYTES = 16_000_000;

  /** Rate limit, so that the transfer lasts long enough for kills. */
  private static final String LIMIT = "80Mbit";

  /**
   * Kills come between the start of a command and this multiple of the duration of a transfer
   * without a kill.
   */
  private static final double LATEST = 1.1;

  private static final double LONGEST_PAUSE_SECONDS = 1;
  private static final int MOST_KILLS = 3;
  private static final int MOST_ATTEMPTS = 10;
  private static final Pattern LISTENING = Pattern.compile("receiving on \\S+:(\\d+)");
  private static final Duration READY = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final long POLL_NANOS = Duration.ofMillis(50).toNanos();

  private final CascadeCommand cascade;
  private final Path folder;
  private final Path file;
  private final Path key;
  private final double latestSeconds;

  /** The processes of one transfer. */
  private final class Ends implements AutoCloseable {
    private final Path into;
    private int port;
    private Program receiver;
    private Program sender;
    private int attempts;

    /**
     * Whether it was sent again after it had arrived, because its sender had not received the
     * confirmation.
     */
    private boolean wasAskedFor;

    Ends(Path into) throws IOException, InterruptedException {
      this.into = into;
      receiver = receive();
      port = Integer.parseInt(receiver.awaitSaid(LISTENING, READY).group(1));
      sender = send();
    }

    private Program receive() throws IOException {
      return new Program(
          verb(
              "receive",
              "--no-progress",
              "--key-file",
              key.toString(),
              "--listen",
              "127.0.0.1:" + port,
              "--output",
              into.toString()),
          folder.resolve("receive.log"));
    }

    private Program send() throws IOException {
      attempts++;
      return new Program(
          verb(
              "send",
              file.toString(),
              "--to",
              "127.0.0.1:" + port,
              "--key-file",
              key.toString(),
              "--direct",
              "--no-progress",
              "--limit",
              LIMIT),
          folder.resolve("send.log"));
    }

    /**
     * Starts processes that have ended again, as a user would; returns whether the transfer is
     * finished.
     */
    private boolean goOn() throws IOException {
      OptionalInt sent = sender.exit();
      boolean over =
          sent.isPresent() && (sent.getAsInt() == 0 || wasAskedFor || attempts == MOST_ATTEMPTS);
      if (over) {
        return true;
      }
      if (sent.isPresent()) {
        wasAskedFor = stands();
        sender = send();
      }
      OptionalInt received = receiver.exit();
      if (received.isPresent() && (received.getAsInt() != 0 || sent.isPresent())) {
        receiver = receive();
      }
      return false;
    }

    private boolean isUnderWay() {
      return Files.exists(into.resolve("." + file.getFileName() + ".cascade-journal"));
    }

    private boolean stands() {
      return Files.exists(into.resolve(file.getFileName()));
    }

    @Override
    public void close() throws InterruptedException {
      sender.kill();
      receiver.kill();
    }
  }

  /**
   * Makes one transfer without a kill, to measure its duration.
   *
   * @param folder to work in, which nothing else uses
   */
  KillTrial(CascadeCommand cascade, Path folder) throws IOException, InterruptedException {
    this.cascade = cascade;
    this.folder = folder;
    this.file = folder.resolve("file");
    this.key = Files.write(folder.resolve("key"), new byte[32]);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    RandomFile.write(file, BYTES, 1);
    this.latestSeconds = LATEST * undisturbedSeconds();
  }

  private double undisturbedSeconds() throws IOException, InterruptedException {
    Path into = Files.createDirectory(folder.resolve("into-0"));
    try (Ends ends = new Ends(into)) {
      long start = System.nanoTime();
      while (ends.sender.exit().isEmpty()) {
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      }
      if (ends.sender.exit().getAsInt() != 0) {
        throw new CommandException("without a kill: " + ends.sender.lastWords());
      }
      return (System.nanoTime() - start) / 1e9;
    } finally {
      TemporaryFolder.remove(into);
    }
  }

  private ProcessBuilder verb(String... arguments) {
    ProcessBuilder verb = cascade.verb(arguments);
    verb.environment().put("XDG_STATE_HOME", folder.toString());
    return verb;
  }

  /** Makes one transfer. */
  KillResult run(long seed, int number) throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(1_000_003 * seed + number);
    Path into = Files.createDirectory(folder.resolve("into-" + number));
    List<String> kills = new ArrayList<>();
    try (Ends ends = new Ends(into)) {
      int planned = 1 + random.nextInt(MOST_KILLS);
      for (int i = 0; i < planned; i++) {
        kill(ends, random, kills);
      }
      long start = System.nanoTime();
      while (!ends.goOn()) {
        if (System.nanoTime() - start > PATIENCE.toNanos()) {
          return new KillResult(
              seed,
              number,
              kills,
              ending(into, false),
              "goes on for " + PATIENCE.toSeconds() + " s");
        }
        TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
      }
      boolean confirmed = ends.sender.exit().orElse(1) == 0;
      KillResult.Ending ending = ending(into, confirmed);
      return new KillResult(
          seed,
          number,
          kills,
          ending,
          ending == KillResult.Ending.DELIVERED ? "" : ends.sender.lastWords());
    } finally {
      TemporaryFolder.remove(into);
    }
  }

  private void kill(Ends ends, SplittableRandom random, List<String> kills)
      throws InterruptedException {
    double after = latestSeconds * random.nextDouble();
    boolean sender = random.nextInt(3) != 0;
    boolean receiver = !sender || random.nextBoolean();
    double pause = LONGEST_PAUSE_SECONDS * random.nextDouble();
    sleep(after);
    if (ends.sender.exit().orElse(1) == 0) {
      return; // the file had already arrived
    }
    boolean isUnderWay = ends.isUnderWay();
    if (sender) {
      ends.sender.kill();
    }
    if (receiver) {
      ends.receiver.kill();
    }
    kills.add(
        String.format(
            Locale.ROOT,
            "%s after %.3f s%s, again after %.3f s",
            sender && receiver ? "both" : sender ? "sender" : "receiver",
            after,
            isUnderWay ? KillResult.UNDER_WAY : "",
            pause));
    sleep(pause);
    try {
      boolean _ = ends.goOn();
    } catch (IOException e) {
      throw new CommandException("cannot start what was killed: " + e.getMessage(), e);
    }
  }

  private static void sleep(double seconds) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(Math.round(seconds * 1e9));
  }

  private KillResult.Ending ending(Path into, boolean confirmed) throws IOException {
    return ending(file, into.resolve(file.getFileName()), confirmed);
  }

  /**
   * @param confirmed whether the sender reported that the file arrived
   */
  static KillResult.Ending ending(Path sent, Path there, boolean confirmed) throws IOException {
    if (!Files.exists(there)) {
      return confirmed ? KillResult.Ending.WRONG : KillResult.Ending.NOT_DELIVERED;
    }
    if (Files.mismatch(sent, there) >= 0) {
      return KillResult.Ending.WRONG;
    }
    return confirmed ? KillResult.Ending.DELIVERED : KillResult.Ending.UNCONFIRMED;
  }
}
