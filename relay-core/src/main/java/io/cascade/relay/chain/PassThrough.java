package io.cascade.relay.chain;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.List;

/**
 * The inlet and the outlet of a part that has one of each and passes bytes on unread. No other part
 * is taken yet.
 */
record PassThrough(PartInlet inlet, PartOutlet outlet) {
  private static final HopAddress FROM_SOURCE = new HopAddress(0, 0, 0);

  /**
   * Reads a part and checks that it does not contradict itself.
   *
   * @throws PartRefused with {@link PartRefused.Kind#UNSUPPORTED} where there are several inlets or
   *     outlets, else with {@link PartRefused.Kind#INVALID}
   */
  static PassThrough of(ChainPart part) throws PartRefused {
    PassThrough parts =
        new PassThrough(sole("inlets", part.inlets()), sole("outlets", part.outlets()));
    parts.checkShape();
    return parts;
  }

  private static <T> T sole(String name, List<T> list) throws PartRefused {
    if (list.size() != 1) {
      throw new PartRefused(
          PartRefused.Kind.UNSUPPORTED,
          name + ": " + list.size() + " (expected: 1, for this relay neither splits nor combines)");
    }
    return list.getFirst();
  }

  private void checkShape() throws PartRefused {
    if ((inlet.ingress() == null) == (inlet.relay() == null)) {
      throw invalid("inlets[0]: give one of ingress and relay");
    }
    if ((outlet.relay() == null) == (outlet.egress() == null)) {
      throw invalid("outlets[0]: give one of relay and egress");
    }
    HopAddress in = inlet.hop();
    if (in.equals(FROM_SOURCE) != (inlet.ingress() != null)) {
      throw invalid(
          "inlets[0].hop: " + text(in) + " (expected: 0.0.0 with ingress, a later hop with relay)");
    }
    HopAddress next = new HopAddress(in.segment(), in.pipe(), in.hop() + 1);
    if (!outlet.hop().equals(next)) {
      throw invalid(
          "outlets[0].hop: "
              + text(outlet.hop())
              + " (expected: "
              + text(next)
              + ", the one behind the inlet's)");
    }
  }

  private static String text(HopAddress hop) {
    return hop.segment() + "." + hop.pipe() + "." + hop.hop();
  }

  private static PartRefused invalid(String message) {
    return new PartRefused(PartRefused.Kind.INVALID, message);
  }
}
