package io.cascade.model.estimate;

import io.cascade.model.tcp.BbrThroughput;
import io.cascade.model.tcp.CubicThroughput;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.ThroughputModel;
import java.util.Locale;
import java.util.Optional;

/** The formulas to choose from for what a sender delivers. */
public enum SenderModel {
  /** Reno by the inverse square root of loss. */
  MATHIS,
  /** RFC 9438. */
  CUBIC,
  /** BBR version 1, a heuristic. */
  BBR,
  /** BBR version 3, a heuristic. */
  BBR3;

  /** The model that stands for a congestion control by the name that systems give it. */
  public static Optional<SenderModel> ofCongestionControl(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "reno" -> Optional.of(MATHIS);
      case "cubic" -> Optional.of(CUBIC);
      case "bbr" -> Optional.of(BBR);
      case "bbr3" -> Optional.of(BBR3);
      default -> Optional.empty();
    };
  }

  /** As options and documents write it: {@code mathis}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether it paces at the bandwidth that it measures, whatever moderate loss there is. */
  public boolean isBbr() {
    return this == BBR || this == BBR3;
  }

  /** The formula with its parameters. */
  ThroughputModel throughput(SenderParameters parameters) {
    return switch (this) {
      case MATHIS -> new MathisThroughput(parameters.mathisConstant());
      case CUBIC -> new CubicThroughput();
      case BBR -> BbrThroughput.V1;
      case BBR3 -> BbrThroughput.V3;
    };
  }
}
