package io.cascade.studies.rivals;

import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code send} beside its alternatives. */
@Command(
    name = "rivals",
    mixinStandardHelpOptions = true,
    description = {
      "Compare send and receive with their alternatives: plain TCP connections, BBR, eight"
          + " connections, croc and uftp if they are installed, and the bound of the link.",
      "Measures the demo's path and drawn ones, for about two minutes each, and writes a page and"
          + " every result. Results that exist are not measured again. Needs Linux and root.",
      "",
      "Example: cascade reproduce rivals --paths 6 --out /tmp/rivals"
    })
public final class RivalStudy extends Study<RivalPath, RivalResult> {
  /** The demo's path. */
  private static final List<RivalPath> DEMO =
      List.of(
          RivalPath.demo(20_000_000),
          RivalPath.demo(10_000_000),
          RivalPath.demoWithoutUdp(20_000_000),
          RivalPath.demoWithLittleUdp(20_000_000));

  @Option(
      names = "--paths",
      paramLabel = "N",
      defaultValue = "40",
      description = "Draw N paths beside the demo's (default: ${DEFAULT-VALUE}).")
  private int paths = 40;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Draw the paths from this seed (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(
      names = "--only",
      paramLabel = "WHICH",
      description = "Measure only these paths: demo or drawn.")
  private @Nullable String only;

  private final List<Competitor> contenders;

  public RivalStudy() {
    this(Competitor.atHand());
  }

  /**
   * @param contenders that are installed
   */
  RivalStudy(List<Competitor> contenders) {
    super(RivalReport.NAME, 3, RivalResult.class, RivalResult::key);
    this.contenders = contenders;
  }

  @Override
  protected void check() {
    atLeastOne("--paths", paths);
    if (only != null && !List.of("demo", "drawn").contains(only)) {
      throw refuse("--only " + only + " (expected: demo or drawn)");
    }
  }

  @Override
  protected List<RivalPath> tasks() {
    return Stream.concat(
            "drawn".equals(only) ? Stream.of() : DEMO.stream(),
            PathDraw.paths("demo".equals(only) ? 0 : paths, seed).stream())
        .toList();
  }

  @Override
  public String key(RivalPath path) {
    return path.name();
  }

  @Override
  public boolean isAnswered(RivalPath path, RivalResult result) {
    return result.failure() == null
        && result.repetitions() >= repetitions()
        && result.contenders().containsAll(contenders)
        && result.path().equals(path);
  }

  @Override
  public Bench<RivalPath, RivalResult> open(int number) {
    return path ->
        new RivalTrial(path, repetitions(), contenders)
            .run("rivals-" + ProcessHandle.current().pid());
  }

  @Override
  public RivalResult failed(RivalPath path, Exception failure) {
    return RivalResult.failed(path, repetitions(), Measurement.why(failure));
  }

  @Override
  public String words(RivalResult result) {
    return new RivalFindings(result).words();
  }

  private RivalReport report() throws IOException {
    return new RivalReport(results().read(), folder().machine());
  }

  @Override
  protected Page page() throws IOException {
    return report().page();
  }

  @Override
  protected void print(PrintWriter out) throws IOException {
    report().print(out);
  }
}
