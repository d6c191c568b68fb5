package io.cascade.studies.beside;

import io.cascade.studies.study.Measurement;
import io.cascade.studies.study.Page;
import io.cascade.studies.study.Repetition;
import io.cascade.studies.study.Study;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** Effect of link tests on a stream over the same link. */
@Command(
    name = "running-stream",
    mixinStandardHelpOptions = true,
    description = {
      "Measure what throughput tests and packet trains do to a stream on the same link: the latency"
          + " of small messages and the rate of bulk data.",
      "Takes about two minutes a repetition, over an emulated link and with real relays, and writes"
          + " a page and every result. Results that exist are not measured again. Needs Linux and"
          + " root.",
      "",
      "Example: cascade reproduce running-stream --out /tmp/beside"
    })
public final class BesideStudy extends Study<Repetition<BesideCell>, BesideRun> {
  private static final String NAME = "running-stream";

  public BesideStudy() {
    super(NAME, 1, BesideRun.class, BesideRun::key);
  }

  @Override
  protected List<Repetition<BesideCell>> tasks() {
    return Repetition.interleaved(List.of(BesideCell.values()), repetitions());
  }

  @Override
  public String key(Repetition<BesideCell> task) {
    return BesideRun.key(task.cell(), task.number());
  }

  @Override
  public Bench<Repetition<BesideCell>, BesideRun> open(int number) throws Exception {
    BesideNetwork network = BesideNetwork.up("beside-" + ProcessHandle.current().pid());
    BesideTrial trial = new BesideTrial(network);
    return Measurement.on(network, task -> trial.run(task.cell(), task.number()));
  }

  @Override
  public String words(BesideRun result) {
    return String.join(", ", BesideReport.row(result));
  }

  @Override
  protected Page page() throws IOException {
    return new BesideReport(results().read(), folder().machine()).page();
  }
}
