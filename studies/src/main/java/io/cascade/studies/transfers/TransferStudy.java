package io.cascade.studies.transfers;

import io.cascade.command.DataSize;
import io.cascade.studies.study.JsonLines;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Study;
import io.cascade.studies.study.Workplace;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Copies by several programs in turns, and transfers whose ends are killed. */
@Command(
    name = "transfers",
    mixinStandardHelpOptions = true,
    description = {
      "Compare send and receive by a code with rsync and scp over ssh, croc and rclone, if they are"
          + " installed: one file, many small files, a tree of everything, ends that are killed;"
          + " and over loopback transfers whose ends are killed at random times, and a file with a"
          + " key and in clear text.",
      "Writes a page and every result. Results that exist are not measured again. Needs Linux;"
          + " copies need root, kills at random times do not.",
      "",
      "Example: cascade reproduce transfers --size 32MB --files 300 --cuts 60 --repetitions 2 --out /tmp/transfers"
    })
public final class TransferStudy extends Study<TransferStudy.Copy, TransferResult> {
  private static final List<String> PARTS = List.of("copies", "kills", "sealing");

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      converter = DataSize.PositiveConverter.class,
      defaultValue = "100MB",
      description = "Use one file of this size (default: ${DEFAULT-VALUE}).")
  private DataSize size = new DataSize(100_000_000);

  @Option(
      names = "--files",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Use N small files; 100000 take hours with scp (default: ${DEFAULT-VALUE}).")
  private int files = 2_000;

  @Option(
      names = "--cuts",
      paramLabel = "PERCENT",
      split = ",",
      defaultValue = "10,30,60,90",
      description =
          "Kill an end at these percentages of the transfer, 1 to 99, separated by commas (default:"
              + " ${DEFAULT-VALUE}).")
  private List<Integer> cuts = List.of(10, 30, 60, 90);

  @Option(
      names = "--kills",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Run N transfers whose ends are killed at random times (default: ${DEFAULT-VALUE}).")
  private int kills = 20;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draw the kills from this seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description = "Measure only this part: copies, kills or sealing.")
  private @Nullable String only;

  private final List<Contender> contenders;

  public TransferStudy() {
    this(Contender.atHand());
  }

  /**
   * @param contenders that are installed
   */
  TransferStudy(List<Contender> contenders) {
    super(TransferReport.NAME, 3, TransferResult.class, TransferResult::key);
    this.contenders = contenders;
  }

  /** One copy to make. */
  record Copy(CopyTest test, Contender contender, int repetition) {
    String competitor() {
      return competitor(test, contender);
    }

    static String competitor(CopyTest test, Contender contender) {
      return test.title() + ", " + contender;
    }
  }

  @Override
  protected void check() {
    atLeastOne("--files", files);
    atLeastOne("--kills", kills);
    for (int cut : cuts) {
      if (cut < 1 || cut > 99) {
        throw refuse("--cuts " + cut + " (expected: 1 to 99)");
      }
    }
    if (only != null && !PARTS.contains(only)) {
      throw refuse("--only " + only + " (expected: " + String.join(", ", PARTS) + ")");
    }
  }

  private JsonLines<KillResult> killResults() {
    return folder().results(TransferReport.NAME + "-kills", KillResult.class, KillResult::key);
  }

  private JsonLines<SealResult> sealResults() {
    return folder().results(TransferReport.NAME + "-sealed", SealResult.class, SealResult::key);
  }

  @Override
  protected List<Copy> tasks() {
    return copies(
        Stream.concat(
                Stream.of(CopyTest.file(size.bytes()), CopyTest.small(files), CopyTest.tree()),
                CopyTest.cuts(size.bytes(), cuts).stream())
            .toList(),
        contenders,
        repetitions(),
        results().read());
  }

  /** Copies in turns of the contenders; contenders that were stopped once are not run again. */
  static List<Copy> copies(
      List<CopyTest> tests,
      List<Contender> contenders,
      int repetitions,
      List<TransferResult> results) {
    Set<String> cutOff = cutOff(results);
    List<Copy> copies = new ArrayList<>();
    for (CopyTest test : tests) {
      List<Contender> order =
          new ArrayList<>(contenders.stream().filter(one -> one.takes(test)).toList());
      for (int repetition = 0; repetition < repetitions; repetition++) {
        for (Contender contender : order) {
          Copy copy = new Copy(test, contender, repetition);
          if (!cutOff.contains(copy.competitor())) {
            copies.add(copy);
          }
        }
        // Rotated, so that no contender is always first; in the first repetition send sets the
        // limits of the others.
        Collections.rotate(order, -1);
      }
    }
    return copies;
  }

  private static Set<String> cutOff(List<TransferResult> results) {
    return results.stream()
        .filter(TransferResult::isCutOff)
        .map(result -> Copy.competitor(result.test(), result.contender()))
        .collect(Collectors.toSet());
  }

  @Override
  protected List<JsonLines<?>> allResults() {
    return List.of(results(), killResults(), sealResults());
  }

  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    boolean sealed = !isWanted("sealing") || seal(err);
    boolean killed = !isWanted("kills") || kill(err);
    boolean copied = !isWanted("copies") || super.measure(err);
    return sealed && killed && copied;
  }

  private boolean isWanted(String part) {
    return only == null || only.equals(part);
  }

  private boolean seal(PrintWriter err) throws InterruptedException, IOException {
    List<Sealing> sealings =
        IntStream.range(0, repetitions())
            .boxed()
            .flatMap(number -> Stream.of(new Sealing(true, number), new Sealing(false, number)))
            .toList();
    return measure(new Seals(), sealResults(), sealings, 1, err);
  }

  private boolean kill(PrintWriter err) throws InterruptedException, IOException {
    return measure(
            new Kills(seed),
            killResults(),
            IntStream.rangeClosed(1, kills).boxed().toList(),
            1,
            err)
        && killResults().read().stream().noneMatch(one -> one.ending() == KillResult.Ending.WRONG);
  }

  @Override
  public String key(Copy copy) {
    return TransferResult.key(copy.test(), copy.contender(), copy.repetition());
  }

  @Override
  public boolean isAnswered(Copy copy, TransferResult result) {
    return !result.isToBeRepeated();
  }

  @Override
  public Bench<Copy, TransferResult> open(int number) throws Exception {
    TransferLab lab = new TransferLab("transfers-" + ProcessHandle.current().pid(), contenders);
    TransferTrial trial = new TransferTrial(lab);
    Set<String> cutOff = new HashSet<>();
    return Measurement.on(
        lab,
        copy -> {
          if (cutOff.contains(copy.competitor())) {
            return null; // a further copy would be stopped as well
          }
          TransferResult result = trial.run(copy.test(), copy.contender(), copy.repetition());
          if (result.isCutOff()) {
            cutOff.add(copy.competitor());
          }
          return result;
        });
  }

  @Override
  public String words(TransferResult result) {
    return result.isFailed()
        ? result.note()
        : String.format(
            Locale.ROOT, "%s%.2f s", result.isCutOff() ? "over " : "", result.seconds());
  }

  @Override
  protected Page page() throws IOException {
    return new TransferReport(
            results().read(), killResults().read(), sealResults().read(), folder().machine())
        .page();
  }

  @Override
  protected void print(PrintWriter out) throws IOException {
    page().print(out);
  }

  /** Transfers whose ends are killed at random times, by their numbers. */
  private record Kills(long seed) implements Measurement<Integer, KillResult> {
    @Override
    public String key(Integer number) {
      return seed + " " + number;
    }

    @Override
    public Bench<Integer, KillResult> open(int number) throws Exception {
      Workplace work = Workplace.make("transfers");
      KillTrial trial = new KillTrial(work.command(), work.path());
      return Measurement.on(work, which -> trial.run(seed, which));
    }

    @Override
    public String words(KillResult result) {
      return result.ending().words()
          + (result.note().isEmpty() ? "" : " (" + result.note() + ")")
          + result.kills().stream().map(one -> "; " + one).collect(Collectors.joining());
    }
  }

  /** A transfer over loopback, with a key or in clear. */
  private record Sealing(boolean sealed, int repetition) {}

  private record Seals() implements Measurement<Sealing, SealResult> {
    @Override
    public String key(Sealing one) {
      return SealResult.key(one.sealed(), one.repetition());
    }

    @Override
    public Bench<Sealing, SealResult> open(int number) throws Exception {
      Workplace work = Workplace.make("transfers");
      SealTrial trial = new SealTrial(work.command(), work.path());
      return Measurement.on(work, one -> trial.run(one.sealed(), one.repetition()));
    }

    @Override
    public String words(SealResult result) {
      return String.format(
          Locale.ROOT, "%.2f s, processors %.2f s", result.seconds(), result.processorSeconds());
    }
  }
}
