package io.cascade.studies.measured;

import io.cascade.studies.study.LoadGate;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Parallel;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Paths about which {@code send} has no information. */
@Command(
    name = "measured",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what send achieves on many emulated paths of which it knows nothing, beside every"
          + " fixed way.",
      "Takes about three minutes a path and writes a page, charts and every result. Results that"
          + " exist are not measured again. Needs Linux and root.",
      "",
      "Example: cascade reproduce measured --paths 40 --parallel 2 --out /tmp/measured"
    })
public final class MeasuredStudy extends Study<EmulatedPath, PathResult> {
  @Option(
      names = "--paths",
      paramLabel = "N",
      defaultValue = "120",
      description =
          "Measure N paths; each 40 cover all factors evenly (default: ${DEFAULT-VALUE}).")
  private int paths = 120;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draw the paths from this seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Mixin private Parallel parallel = new Parallel(2);

  private final LoadGate gate = new LoadGate(Runtime.getRuntime().availableProcessors());

  public MeasuredStudy() {
    super(MeasuredReport.NAME, 2, PathResult.class, PathResult::key);
  }

  @Override
  protected void check() {
    atLeastOne("--paths", paths);
  }

  @Override
  protected List<EmulatedPath> tasks() {
    return PathGenerator.paths(paths, seed);
  }

  @Override
  protected int parallel() {
    return parallel.count();
  }

  @Override
  public String key(EmulatedPath path) {
    return path.key();
  }

  @Override
  public boolean isAnswered(EmulatedPath path, PathResult result) {
    return result.failure() == null
        && result.repetitions() >= repetitions()
        && result.path().equals(path);
  }

  @Override
  public Bench<EmulatedPath, PathResult> open(int number) {
    String lab = "m" + ProcessHandle.current().pid() + "-" + number;
    return path -> new PathTrial(path, repetitions(), gate).run(lab);
  }

  @Override
  public PathResult failed(EmulatedPath path, Exception failure) {
    return PathTrial.failed(path, repetitions(), failure);
  }

  @Override
  public String words(PathResult result) {
    if (result.failure() != null) {
      return result.failure();
    }
    PathVerdict verdict = PathVerdict.of(result);
    return String.format(
        Locale.ROOT,
        "%s, send %.2f of %s, %.2f of direct",
        Objects.requireNonNull(result.plan()).decision(),
        verdict.ofBest(),
        verdict.best(),
        verdict.ofDirect());
  }

  @Override
  protected Page page() throws IOException {
    return new MeasuredReport(results().read(), folder().machine()).page();
  }
}
