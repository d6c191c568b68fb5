package io.cascade.studies.experiment;

/**
 * Length of a run that is given no number of bytes. What a congestion control takes to settle is a
 * number of round trips, and where it goes by losses a number of those: one that comes every ten
 * seconds says nothing about a steady state in twenty.
 *
 * @param seconds at least, the beginning included
 * @param warmupSeconds at least, of the beginning that is left out
 * @param roundTrips of the path, added to the seconds
 * @param warmupRoundTrips added to those of the beginning
 * @param losses at least that the slowest connection is expected to meet after the beginning
 * @param warmupLosses at least in the beginning
 * @param longestSeconds to which losses may stretch a run, a third of it the beginning
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

  /** The same but for what a sweep says itself. */
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

  /** The same run, this long over its path; {@code scale} is the caller's wish for all runs. */
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
