package io.cascade.studies.transfers;

import io.cascade.studies.rivals.Croc;
import io.cascade.studies.rivals.Program;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** croc through a relay on the server's host; its sender waits before the time starts. */
final class CrocCopying implements Copying {
  private static final Duration READY = Duration.ofSeconds(20);

  private final TransferLab lab;
  private final String relay;
  private final Map<String, String> code;
  private final Path source;
  private final Path into;
  private final Path logs;
  private @Nullable Program sender;
  private @Nullable Program receiver;

  /**
   * @param number of its code, different for each copy
   */
  CrocCopying(TransferLab lab, String relay, int number, Path source, Path into, Path logs) {
    this.lab = lab;
    this.relay = relay;
    this.code = Croc.code(number);
    this.source = source;
    this.into = into;
    this.logs = logs;
  }

  @Override
  public void prepare() throws IOException, InterruptedException {
    Program started =
        new Program(lab.client(), Croc.sender(relay, source), code, logs, "croc-send");
    sender = started;
    started.awaitSaid(Croc.WAITING, READY);
    TimeUnit.NANOSECONDS.sleep(Croc.settleNanos(TransferLab.RTT_SECONDS));
  }

  @Override
  public void start() throws IOException {
    receiver = new Program(lab.server(), Croc.receiver(relay, into), code, logs, "croc-receive");
  }

  @Override
  public void awaitEnd(long deadlineNanos) throws Exception {
    Objects.requireNonNull(receiver).awaitEnd(deadlineNanos);
    Objects.requireNonNull(sender).awaitEnd(deadlineNanos);
  }

  @Override
  public void kill(End end) throws InterruptedException {
    Objects.requireNonNull(end == End.SENDER ? sender : receiver).kill();
  }

  /** Neither end continues by itself. */
  @Override
  public void again(End killed) throws IOException, InterruptedException {
    close();
    prepare();
    start();
  }

  @Override
  public void close() {
    for (Program one : new @Nullable Program[] {receiver, sender}) {
      if (one != null) {
        one.close();
      }
    }
  }
}
