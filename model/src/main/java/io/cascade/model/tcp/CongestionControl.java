package io.cascade.model.tcp;

import java.util.Locale;
import java.util.Optional;

/** The congestion controls that a connection may use, each with its model. */
public enum CongestionControl {
  /** NewReno with selective acknowledgements, bytes counted, random loss, timeouts. */
  RENO(new TimeoutThroughput(MathisThroughput.RANDOM_LOSS)),
  /** RFC 9438 with timeouts; the default of Linux, Windows and macOS. */
  CUBIC(new TimeoutThroughput(new CubicThroughput())),
  /** BBR version 1, as in Linux. A heuristic. */
  BBR(BbrThroughput.V1),
  /** BBR version 3, not in Linux yet. A heuristic. */
  BBR_V3(BbrThroughput.V3),
  /** Not TCP: the hop is coded. Only relays use it, and only to other relays. */
  CODED(new CodedThroughput());

  @SuppressWarnings("ImmutableEnumChecker") // every variant is a record of numbers and strings
  private final ThroughputModel model;

  CongestionControl(ThroughputModel model) {
    this.model = model;
  }

  /** The model of its steady state. */
  public ThroughputModel model() {
    return model;
  }

  /**
   * The control named {@code reno}, {@code cubic}, {@code bbr} (or {@code bbr1}) or {@code bbr3},
   * as people and kernels call them, in any case; empty if there is no model of it, or it is not
   * one of TCP.
   */
  public static Optional<CongestionControl> named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "reno" -> Optional.of(RENO);
      case "cubic" -> Optional.of(CUBIC);
      case "bbr", "bbr1" -> Optional.of(BBR);
      case "bbr3", "bbr_v3" -> Optional.of(BBR_V3);
      default -> Optional.empty();
    };
  }
}
