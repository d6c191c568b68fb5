package io.cascade.studies.transfers;

import io.cascade.client.demo.CascadeCommand;
import io.cascade.command.StopHook;
import io.cascade.studies.experiment.JsonLines;
import io.cascade.studies.experiment.Worklist;
import io.cascade.studies.report.MachineNote;
import io.cascade.studies.report.RawResults;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The tests of transfers and their page in a folder. */
public final class Transfers {
  /** The page's file. */
  public static final String PAGE = TransferReport.NAME + ".md";

  private final Path folder;
  private final MachineNote machine;
  private final JsonLines<TransferResult> copies;
  private final JsonLines<KillResult> kills;
  private final JsonLines<SealResult> seals;

  public Transfers(Path folder) {
    Path raw = RawResults.of(folder);
    this.folder = folder;
    this.machine = MachineNote.of(raw, TransferReport.NAME);
    this.copies =
        new JsonLines<>(
            raw.resolve(TransferReport.NAME + ".jsonl"), TransferResult.class, TransferResult::key);
    this.kills =
        new JsonLines<>(
            raw.resolve(TransferReport.NAME + "-kills.jsonl"), KillResult.class, KillResult::key);
    this.seals =
        new JsonLines<>(
            raw.resolve(TransferReport.NAME + "-sealed.jsonl"), SealResult.class, SealResult::key);
  }

  /**
   * Copies, each contender in turn, what has not been copied yet.
   *
   * @param bytes of the one file
   * @param files how many small ones
   * @param percentages of the file at which an end is killed, in tests of their own
   * @return whether nothing is left
   */
  public boolean copy(
      long bytes, int files, List<Integer> percentages, int repetitions, PrintWriter err)
      throws InterruptedException, IOException {
    machine.write();
    return new TransferCampaign(
            Stream.concat(
                    Stream.of(CopyTest.file(bytes), CopyTest.small(files), CopyTest.tree()),
                    CopyTest.cuts(bytes, percentages).stream())
                .toList(),
            Contender.atHand(),
            repetitions,
            copies,
            err)
        .measure();
  }

  /**
   * Makes transfers whose ends are killed at random times, those that were not made yet.
   *
   * @param count how many, from the seed; 0 or more
   * @return whether nothing is left, and none was wrong
   */
  public boolean kill(int count, long seed, PrintWriter err)
      throws InterruptedException, IOException {
    machine.write();
    Set<String> made = new HashSet<>(kills.read().stream().map(KillResult::key).toList());
    List<Integer> left =
        IntStream.rangeClosed(1, count)
            .boxed()
            .filter(number -> !made.contains(seed + " " + number))
            .toList();
    err.println("%d transfers with kills to make".formatted(left.size()));
    err.flush();
    Worklist<Integer> list = new Worklist<>(left, err);
    boolean complete = list.run(1, _ -> kill(list, seed));
    return complete
        && kills.read().stream().noneMatch(one -> one.ending() == KillResult.Ending.WRONG);
  }

  private void kill(Worklist<Integer> list, long seed) throws Exception {
    inFolder((cascade, work) -> {
      KillTrial trial = new KillTrial(cascade, work);
      for (Integer number = list.next(); number != null; number = list.next()) {
        KillResult result = trial.run(seed, number);
        list.measured(
            () -> kills.append(result),
            number
                + ": "
                + result.ending().words()
                + (result.note().isEmpty() ? "" : " (" + result.note() + ")")
                + result.kills().stream().map(one -> "; " + one).collect(Collectors.joining()));
      }
    });
  }

  /**
   * Sends a file over loopback with a key and in clear, in turns, what was not sent yet.
   *
   * @return whether nothing is left
   */
  public boolean seal(int repetitions, PrintWriter err) throws InterruptedException, IOException {
    machine.write();
    Set<String> made = new HashSet<>(seals.read().stream().map(SealResult::key).toList());
    List<Sealing> left =
        IntStream.range(0, repetitions)
            .boxed()
            .flatMap(number -> Stream.of(new Sealing(true, number), new Sealing(false, number)))
            .filter(one -> !made.contains(SealResult.key(one.sealed(), one.repetition())))
            .toList();
    err.println("%d transfers over loopback to make".formatted(left.size()));
    err.flush();
    Worklist<Sealing> list = new Worklist<>(left, err);
    return list.run(1, _ -> seal(list));
  }

  private record Sealing(boolean sealed, int repetition) {}

  private void seal(Worklist<Sealing> list) throws Exception {
    inFolder((cascade, work) -> {
      SealTrial trial = new SealTrial(cascade, work);
      for (Sealing next = list.next(); next != null; next = list.next()) {
        SealResult result = trial.run(next.sealed(), next.repetition());
        list.measured(
            () -> seals.append(result),
            "%s: %.2f s, processors %.2f s"
                .formatted(result.key(), result.seconds(), result.processorSeconds()));
      }
    });
  }

  /** Work of processes in a folder of their own. */
  private interface Work {
    void in(CascadeCommand cascade, Path folder) throws Exception;
  }

  private static void inFolder(Work work) throws Exception {
    Path folder = Files.createTempDirectory("cascade-transfers-");
    // A signal leaves no time for what comes after an interrupt.
    try (StopHook _ = StopHook.install(() -> removeWithEnds(folder))) {
      Path settings = Files.createFile(folder.resolve("settings.properties"));
      work.in(CascadeCommand.ofThisProcess(settings), folder);
    } finally {
      if (Files.exists(folder)) {
        TransferTrial.delete(folder);
      }
    }
  }

  private static void removeWithEnds(Path work) {
    ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    try {
      TransferTrial.delete(work);
    } catch (IOException e) {
      // The thread that was interrupted removes it as well.
    }
  }

  /** Writes the page about whatever there is, and prints it. */
  public void report(PrintWriter out) throws IOException {
    TransferReport report =
        new TransferReport(copies.read(), kills.read(), seals.read(), machine.words());
    report.page().writeMarkdown(folder, TransferReport.NAME);
    report.print(out);
  }
}
