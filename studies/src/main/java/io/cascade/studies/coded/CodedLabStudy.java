package io.cascade.studies.coded;

import io.cascade.studies.study.JsonLines;
import io.cascade.studies.study.LoadGate;
import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Parallel;
import io.cascade.studies.study.Repetition;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Coded sessions in labs, and on loopback. */
@Command(
    name = "coded-lab",
    mixinStandardHelpOptions = true,
    description = {
      "Measure coded sessions between processes over emulated links beside the kernel's TCP: what"
          + " they carry alone, what they do to the round-trip time, and their share of a"
          + " bottleneck.",
      "Takes about ten minutes (--cells all: some hours) and writes a page. Results that exist are"
          + " not measured again. Needs Linux and root.",
      "",
      "Example: cascade reproduce coded-lab --cells gate --repetitions 5 --out /tmp/coded"
    })
public final class CodedLabStudy extends Study<Repetition<LabCell>, LabRun> {
  private static final CodedLab.Length ALONE =
      new CodedLab.Length(Duration.ofSeconds(10), Duration.ofSeconds(20));
  private static final CodedLab.Length SHARED =
      new CodedLab.Length(Duration.ofSeconds(15), Duration.ofSeconds(45));

  @Option(
      names = "--cells",
      paramLabel = "WHICH",
      defaultValue = "some",
      description =
          "Run these cells: some, gate (beside TCP), alone, all, or loopback (without links, to"
              + " measure the cost of the code) (default: ${DEFAULT-VALUE}).")
  private String cells = "some";

  @Option(
      names = "--megabits",
      paramLabel = "RATE",
      description =
          "Run only cells of this rate: 10 or 100. Those of 10 Mbit/s may run beside others.")
  private @Nullable Integer megabits;

  @Mixin private Parallel parallel = new Parallel(3);

  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());

  public CodedLabStudy() {
    super("coded-lab", 1, LabRun.class, LabRun::key);
  }

  @Override
  protected void check() {
    if (!cells.equals("loopback")) {
      List<LabCell> _ = chosen();
    }
  }

  private List<LabCell> chosen() {
    return switch (cells) {
      case "some" -> LabCell.some();
      case "gate" -> LabCell.gate();
      case "alone" -> LabCell.alone();
      case "all" -> Stream.of(LabCell.alone(), LabCell.gate()).flatMap(List::stream).toList();
      default -> throw refuse("--cells " + cells + ": give some, gate, alone, all or loopback");
    };
  }

  /** Cells in a mixed order, so that fast and slow links are measured at the same time. */
  @Override
  protected List<Repetition<LabCell>> tasks() {
    List<LabCell> mixed =
        new ArrayList<>(
            chosen().stream()
                .filter(cell -> megabits == null || cell.megabits() == megabits)
                .toList());
    Collections.shuffle(mixed, new Random(1));
    return Repetition.interleaved(mixed, repetitions());
  }

  @Override
  protected int parallel() {
    return parallel.count();
  }

  private JsonLines<LoopbackRun> loopbackResults() {
    return folder().results("coded-loopback", LoopbackRun.class, LoopbackRun::key);
  }

  @Override
  protected List<JsonLines<?>> allResults() {
    return List.of(results(), loopbackResults());
  }

  @Override
  protected boolean measure(PrintWriter err) throws Exception {
    return cells.equals("loopback")
        ? measure(
            new Loopback(),
            loopbackResults(),
            Repetition.interleaved(Ends.ALL, repetitions()),
            1,
            err)
        : super.measure(err);
  }

  @Override
  public String key(Repetition<LabCell> task) {
    return LabRun.key(task.cell(), task.number());
  }

  @Override
  public boolean isAnswered(Repetition<LabCell> task, LabRun result) {
    return result.failure() == null;
  }

  @Override
  public Bench<Repetition<LabCell>, LabRun> open(int number) throws Exception {
    CodedLab lab =
        CodedLab.up("c" + ProcessHandle.current().pid() + "-" + number, number + 1, this::trace);
    return Measurement.on(
        lab,
        task -> {
          LabCell cell = task.cell();
          try (LoadGate.Pass _ = gate.enter(cell.load())) {
            return lab.run(cell, task.number(), cell.isShared() ? SHARED : ALONE);
          }
        });
  }

  private synchronized void trace(String line) {
    try {
      Files.writeString(
          folder().beside(".trace"),
          line + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      // The trace is for information only.
    }
  }

  @Override
  public String words(LabRun run) {
    return run.failure() != null
        ? run.failure()
        : String.format(
            Locale.ROOT,
            "%.3f of the best, round trip x %.2f, share %.2f, load %.1f",
            run.ofBest(),
            run.roundTripFactor(),
            run.share(),
            run.load());
  }

  @Override
  protected Page page() throws IOException {
    return new CodedLabReport(results().read(), loopbackResults().read(), folder().machine())
        .page();
  }

  /** Both ends of a session on loopback. */
  private record Ends(double loss, String kernel) {
    static final List<Ends> ALL =
        Stream.of(0.0, 0.1)
            .flatMap(loss ->
                Stream.of(LoopbackRun.SCALAR, LoopbackRun.VECTOR)
                    .map(kernel -> new Ends(loss, kernel)))
            .toList();
  }

  private static final class Loopback implements Measurement<Repetition<Ends>, LoopbackRun> {
    @Override
    public String key(Repetition<Ends> task) {
      return LoopbackRun.key(task.cell().loss(), task.cell().kernel(), task.number());
    }

    @Override
    public Bench<Repetition<Ends>, LoopbackRun> open(int number) {
      return task -> LoopbackRun.measure(task.number(), task.cell().loss(), task.cell().kernel());
    }

    @Override
    public String words(LoopbackRun run) {
      return run.toString();
    }
  }
}
