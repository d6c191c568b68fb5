package io.cascade.model.tcp;

/** The congestion controls a connection may run, each with the model that stands for it. */
public enum CongestionControl {
  /** NewReno with selective acknowledgements, bytes counted, random loss. */
  RENO(MathisThroughput.RANDOM_LOSS),
  /** RFC 9438; the default of Linux, Windows and macOS. */
  CUBIC(new CubicThroughput()),
  /** BBR version 1, as in Linux. */
  BBR(BbrThroughput.V1);

  @SuppressWarnings("ImmutableEnumChecker") // every variant is a record of numbers and strings
  private final ThroughputModel model;

  CongestionControl(ThroughputModel model) {
    this.model = model;
  }

  /** The model of its steady state. */
  public ThroughputModel model() {
    return model;
  }
}
