package io.cascade.studies.bench;

import io.cascade.studies.bench.BenchContender.Running;
import java.io.IOException;
import java.util.List;

/**
 * Warms up compilers, pools and caches before anything is measured, and checks bytes.
 *
 * @param rounds of the measurements that follow; before a single round there is only one warm-up
 * @param seconds of each measurement
 */
record WarmUp(Destination destination, int rounds, double seconds) {
  private static final long DIGESTED_BYTES = 16L << 20;
  private static final long SEED = 20_251_121;
  private static final double MOST_SECONDS = 2;
  private static final int MOST_TIMES = 40;
  private static final int TIMES_IN_VAIN = 2;
  private static final double WORTH_ANOTHER = 1.03;

  /** Share of a processor below which the compilers of a contender count as finished. */
  private static final double STILL_COMPILING = 0.03;

  void run(Running running, List<Trial> trials) throws IOException, InterruptedException {
    DigestCheck.pass(running.port(), DIGESTED_BYTES, SEED);
    for (Trial trial : trials) {
      run(running, trial);
    }
  }

  /**
   * Repeats the trial while its main metric improves or compilers run: several Java processes on
   * one processor are slow for a minute before they improve.
   */
  private void run(Running running, Trial trial) throws IOException, InterruptedException {
    Metric telling = trial.metrics().getFirst();
    int most = rounds == 1 ? 1 : MOST_TIMES;
    double best = Double.NaN;
    for (int i = 0, inVain = 0; i < most && inVain < TIMES_IN_VAIN; i++) {
      double compiled = running.tree().compilerSeconds();
      double lasts = Math.min(seconds, MOST_SECONDS);
      Double reached = trial.run(running, destination, lasts).get(telling);
      if (reached == null) {
        return; // no process to warm up
      }
      double gain = telling.moreIsBetter() ? reached / best : best / reached;
      boolean compiles = running.tree().compilerSeconds() - compiled > STILL_COMPILING * lasts;
      if (gain < WORTH_ANOTHER && !compiles) {
        inVain++;
      } else {
        inVain = 0;
        best = gain < WORTH_ANOTHER ? best : reached;
      }
    }
  }
}
