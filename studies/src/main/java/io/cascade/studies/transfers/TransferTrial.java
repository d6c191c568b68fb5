package io.cascade.studies.transfers;

import io.cascade.command.CommandException;
import io.cascade.command.TemporaryFolder;
import io.cascade.lab.process.RandomFile;
import io.cascade.studies.measured.ProcessorTime;
import io.cascade.studies.rivals.Mover;
import io.cascade.studies.study.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Makes the copies of tests in one lab, one at a time. */
final class TransferTrial {
  /**
   * Limit of a copy of {@code send}; other contenders may take half as long again and a little
   * more.
   */
  private static final Duration MOST = Duration.ofMinutes(10);

  private static final double MOST_OF_SEND = 3;
  private static final double LEAST_LIMIT_SECONDS = 30;

  private static final long SETTLE_NANOS = Math.round((0.3 + 2 * TransferLab.RTT_SECONDS) * 1e9);
  private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

  private final TransferLab lab;
  private final Map<String, Path> sources = new HashMap<>();
  private final Map<CopyTest, Double> longestOfSend = new HashMap<>();
  private int copies;

  TransferTrial(TransferLab lab) {
    this.lab = lab;
  }

  /** Makes one copy. A failed copy is a result with the reason. */
  TransferResult run(CopyTest test, Contender contender, int repetition) throws Exception {
    Path source = source(test);
    copies++;
    Path into = Files.createDirectory(lab.folder().resolve("arrived-" + copies));
    long sentBefore = lab.sentBytes();
    ProcessorTime before = ProcessorTime.now();
    Double seconds = null;
    boolean isCutOff = false;
    Comparison arrived = null;
    String note = "";
    Duration limit = limit(test, contender);
    try (Copying copying = lab.copying(contender, source, into)) {
      copying.prepare();
      long start = System.nanoTime();
      copying.start();
      if (test.kind() == CopyTest.Kind.CUT) {
        interrupt(copying, test, sentBefore, start + limit.toNanos());
      }
      copying.awaitEnd(start + limit.toNanos());
      seconds = (System.nanoTime() - start) / 1e9;
      copying.finish();
      arrived = compared(source, into);
      if (arrived == null || (test.kind() != CopyTest.Kind.TREE && !arrived.isSameContent())) {
        note = "something else has arrived";
      }
    } catch (Mover.CutOff e) {
      seconds = limit.toNanos() / 1e9;
      isCutOff = true;
    } catch (CommandException | IOException e) {
      note = Measurement.why(e);
      seconds = null;
      arrived = test.kind() == CopyTest.Kind.TREE ? compared(source, into) : null;
    }
    TimeUnit.NANOSECONDS.sleep(SETTLE_NANOS);
    long sent = lab.sentBytes() - sentBefore;
    double busy = ProcessorTime.now().busySince(before);
    if (contender == Contender.SEND && seconds != null) {
      longestOfSend.merge(test, seconds, Math::max);
    }
    TemporaryFolder.remove(into);
    return new TransferResult(
        test, contender, repetition, seconds, isCutOff, sent, arrived, busy, note);
  }

  private static @Nullable Comparison compared(Path source, Path into) throws IOException {
    Path there = into.resolve(source.getFileName());
    return Files.exists(there) ? Comparison.of(source, there) : null;
  }

  /** Limit of a copy: a contender that takes much longer than {@code send} need not end. */
  private Duration limit(CopyTest test, Contender contender) {
    Double ours = longestOfSend.get(test);
    return contender == Contender.SEND || ours == null
        ? MOST
        : Duration.ofMillis(Math.round(1e3 * (LEAST_LIMIT_SECONDS + MOST_OF_SEND * ours)));
  }

  /**
   * Kills an end once the given share of the file has left the client's host, and runs the command
   * again.
   */
  private void interrupt(Copying copying, CopyTest test, long sentBefore, long deadlineNanos)
      throws Exception {
    long bytes = test.bytes() * test.percent() / 100;
    while (lab.sentBytes() - sentBefore < bytes) {
      if (System.nanoTime() > deadlineNanos) {
        throw new CommandException("never sent %d %%".formatted(test.percent()));
      }
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
    copying.kill(test.killed());
    TimeUnit.NANOSECONDS.sleep(SETTLE_NANOS);
    copying.again(test.killed());
  }

  private Path source(CopyTest test) throws IOException {
    String name =
        switch (test.kind()) {
          case FILE, CUT -> "file-" + test.bytes();
          case SMALL -> "small-" + test.files();
          case TREE -> "tree";
        };
    Path made = sources.get(name);
    if (made != null) {
      return made;
    }
    Path source = lab.folder().resolve(name);
    switch (test.kind()) {
      case FILE, CUT -> {
        RandomFile.checkRoom(lab.folder(), test.bytes());
        RandomFile.write(source, test.bytes(), 1);
      }
      case SMALL -> SentTrees.small(source, test.files(), 1);
      case TREE -> SentTrees.everything(source, 1);
    }
    sources.put(name, source);
    return source;
  }
}
