package io.cascade.studies.rivals;

import io.cascade.command.CommandException;
import io.cascade.lab.Lab;
import io.cascade.studies.measured.KeptReceiver;
import io.cascade.studies.measured.VerbRun;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Cascade's own {@code send} to its {@code receive}, which verifies what has arrived. */
final class CascadeSend implements Mover {
  private static final int PORT = 9_000;
  private static final Duration READY = Duration.ofSeconds(60);

  private final Lab lab;
  private final Path file;
  private final boolean isDirect;

  /** The part of its document that matters here. */
  private record Sent(String route, List<String> relays) {}

  /**
   * Starts the receiver and waits until it listens.
   *
   * @param isDirect whether there is no orchestrator to ask
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
    Sent sent;
    double seconds;
    try {
      sent = run.await(Sent.class, limit);
      seconds = run.seconds();
    } catch (CommandException e) {
      if (run.seconds() >= limit.toNanos() / 1e9) {
        throw new CutOff();
      }
      throw e;
    }
    return new Moved(
        seconds,
        sent.relays().isEmpty()
            ? sent.route()
            : sent.route() + " via " + String.join(", ", sent.relays()));
  }

  /**
   * What its process takes to start, and the launcher before it: the same for a verb without work.
   */
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
