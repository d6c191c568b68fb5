package io.cascade.model.estimate;

import io.cascade.model.tcp.BbrThroughput;
import io.cascade.model.tcp.CongestionControl;
import io.cascade.model.tcp.MathisThroughput;
import io.cascade.model.tcp.PftkThroughput;
import io.cascade.model.tcp.ThroughputModel;
import io.cascade.model.tcp.TimeoutThroughput;
import java.util.Locale;
import java.util.Optional;

/** The formulas to choose from for what a sender delivers. */
public enum SenderModel {
  /** Reno by the inverse square root of loss, as the sources have it. */
  MATHIS,
  /** The same with timeouts; plans use it for Reno. */
  RENO,
  /** Reno with timeouts and the receiver's window, by Padhye, Firoiu, Towsley and Kurose. */
  PFTK,
  /** RFC 9438, with timeouts. */
  CUBIC,
  /** BBR version 1, a heuristic. */
  BBR,
  /** BBR version 3, a heuristic. */
  BBR3;

  /** The model for a congestion control by its name in systems. */
  public static Optional<SenderModel> ofCongestionControl(String name) {
    return CongestionControl.named(name)
        .flatMap(control ->
            switch (control) {
              case RENO -> Optional.of(RENO);
              case CUBIC -> Optional.of(CUBIC);
              case BBR -> Optional.of(BBR);
              case BBR_V3 -> Optional.of(BBR3);
              case CODED -> Optional.empty();
            });
  }

  /** The name that options and documents use: {@code mathis}. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the sender paces at the bandwidth that it measures, independently of moderate loss. */
  public boolean isBbr() {
    return this == BBR || this == BBR3;
  }

  /** The formula with its parameters. */
  ThroughputModel throughput(SenderParameters parameters) {
    return switch (this) {
      case MATHIS -> new MathisThroughput(parameters.mathisConstant());
      case RENO -> new TimeoutThroughput(new MathisThroughput(parameters.mathisConstant()));
      case PFTK ->
          new PftkThroughput(
              parameters.packetsPerAck(), parameters.rtoSeconds(), Double.POSITIVE_INFINITY);
      case CUBIC -> CongestionControl.CUBIC.model();
      case BBR -> BbrThroughput.V1;
      case BBR3 -> BbrThroughput.V3;
    };
  }
}
