package io.cascade.studies.experiment;

/**
 * Length of a run without a number of bytes. A congestion control settles in a number of round
 * trips, and if losses control it, in a number of losses: with one loss every ten seconds a run of
 * twenty seconds shows no steady state.
 *
 * @param seconds least length, warm-up included
 * @param warmupSeconds least length of the warm-up, which does not count
 * @param roundTrips of the path, added to {@code seconds}
 * @param warmupRoundTrips of the path, added to {@code warmupSeconds}
 * @param losses least number that the slowest connection is expected to have after the warm-up
 * @param warmupLosses least number during the warm-up
 * @param longestSeconds to which losses may extend a run, a third of it for the warm-up
 */
record RunLength(
    double seconds,
    double warmupSeconds,
    int roundTrips,
    int warmupRoundTrips,
    int losses,
    int warmupLosses,
    double longestSeconds) {

  /** Reads the run lengths of an experiment. */
  static RunLength of(Entry root) {
    return new RunLength(
        root.at("seconds").map(entry -> entry.as(Quantity::seconds)).orElse(10.0),
        root.at("warmup").map(entry -> entry.as(Quantity::seconds)).orElse(2.0),
        root.at("round-trips").map(entry -> entry.wholeNumber(0)).orElse(0),
        root.at("warmup-round-trips").map(entry -> entry.wholeNumber(0)).orElse(0),
        root.at("losses").map(entry -> entry.wholeNumber(0)).orElse(0),
        root.at("warmup-losses").map(entry -> entry.wholeNumber(0)).orElse(0),
        root.at("longest").map(entry -> entry.as(Quantity::seconds)).orElse(60.0));
  }

  /** The same length with the values that a sweep overrides. */
  RunLength in(Entry sweep) {
    return new RunLength(
        sweep.at("seconds").map(entry -> entry.as(Quantity::seconds)).orElse(seconds),
        sweep.at("warmup").map(entry -> entry.as(Quantity::seconds)).orElse(warmupSeconds),
        roundTrips,
        warmupRoundTrips,
        losses,
        warmupLosses,
        longestSeconds);
  }

  /** The cell with its length; {@code scale} is the caller's factor for all runs. */
  Cell over(Cell cell, double scale, Entry sweep) {
    double perLoss = new Forecast(cell).secondsPerLoss();
    double warmup = warmupSeconds + warmupRoundTrips * cell.rttSeconds();
    double least = seconds + roundTrips * cell.rttSeconds();
    if (warmup >= least) {
      throw sweep.wrong("warmup " + warmup + " s (expected: less than seconds, " + least + ")");
    }
    double settled = Math.max(warmup, Math.min(warmupLosses * perLoss, longestSeconds / 3));
    double all = Math.max(least, Math.min(settled + losses * perLoss, longestSeconds));
    return cell.lasting(all * scale, settled * Math.min(1, scale));
  }
}
