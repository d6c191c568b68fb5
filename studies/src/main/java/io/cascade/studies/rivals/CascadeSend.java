package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.studies.measured.KeptReceiver;
import io.cascade.studies.measured.VerbRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Cascade's {@code send} to its {@code receive}, which verifies the file. */
final class CascadeSend implements Mover {
  private static final int PORT = 9_000;
  private static final String VERIFIED = "verified by the receiver";
  private static final String RELAYED = " through relays at ";
  private static final String CODED = " coded, directly, at ";
  private static final Duration READY = Duration.ofSeconds(60);

  private final Lab lab;
  private final Path file;
  private final boolean isDirect;

  /**
   * Starts the receiver and waits until it listens.
   *
   * @param isDirect whether there is no orchestrator
   */
  CascadeSend(Lab lab, Path file, boolean isDirect) throws IOException, InterruptedException {
    this.lab = lab;
    this.file = file;
    this.isDirect = isDirect;
    KeptReceiver.start(lab, RivalPath.SERVER, PORT);
  }

  @Override
  public Moved move(Duration limit) throws InterruptedException, CutOff {
    VerbRun run =
        VerbRun.send(
            lab,
            RivalPath.CLIENT,
            file,
            RivalPath.SERVER + ":" + PORT,
            isDirect ? List.of("--direct") : List.of());
    String printed;
    try {
      printed = run.awaitPrinted(limit);
    } catch (CommandException e) {
      if (run.seconds() >= limit.toNanos() / 1e9) {
        throw new CutOff();
      }
      throw e;
    }
    if (!printed.contains(VERIFIED)) {
      throw new CommandException("send printed no confirmation: " + printed);
    }
    return new Moved(run.seconds(), ways(printed));
  }

  /** Ways that the transfer used: relays if its summary names them. */
  private static String ways(String printed) {
    return printed.contains(RELAYED) ? "relays" : printed.contains(CODED) ? "coded" : "directly";
  }

  /** Time to start its process and the launcher, measured with a verb that does no work. */
  double startSeconds() throws IOException, InterruptedException {
    long start = System.nanoTime();
    Process process =
        lab.site(RivalPath.CLIENT)
            .verb(List.of("send", "--help"))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    if (!process.waitFor(READY)) {
      process.destroyForcibly();
      throw new CommandException("send --help took longer than " + READY.toSeconds() + " s");
    }
    return (System.nanoTime() - start) / 1e9;
  }
}
