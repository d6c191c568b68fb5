package io.cascade.relay.chain;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A passage through a part: its inlets, and the outlets to which their streams go on. Most passages
 * have one of each and pass bytes on unread. At a junction one segment ends and the next begins:
 * the relay reassembles streams from the pipes of the first segment and splits them into those of
 * the second.
 */
record PartPassage(List<PartInlet> inlets, List<PartOutlet> outlets) {
  private static final HopAddress FROM_SOURCE = new HopAddress(0, 0, 0);

  PartPassage {
    inlets = List.copyOf(inlets);
    outlets = List.copyOf(outlets);
  }

  /**
   * Reads the passages of a part and checks that it does not contradict itself.
   *
   * @return passages such that each hop belongs to exactly one
   * @throws PartRefused with {@link PartRefused.Kind#INVALID}
   */
  static List<PartPassage> of(ChainPart part) throws PartRefused {
    checkShape(part);
    List<PartInlet> inlets = new ArrayList<>(part.inlets());
    List<PartOutlet> outlets = new ArrayList<>(part.outlets());
    List<PartPassage> passages = new ArrayList<>();
    for (PartInlet inlet : part.inlets()) {
      PartOutlet behind =
          outlets.stream()
              .filter(outlet -> outlet.hop().equals(behind(inlet.hop())))
              .findFirst()
              .orElse(null);
      if (behind != null) {
        inlets.remove(inlet);
        outlets.remove(behind);
        passages.add(new PartPassage(List.of(inlet), List.of(behind)));
      }
    }
    if (!inlets.isEmpty() || !outlets.isEmpty()) {
      passages.add(junction(inlets, outlets));
    }
    return passages;
  }

  private static HopAddress behind(HopAddress hop) {
    return new HopAddress(hop.segment(), hop.pipe(), hop.hop() + 1);
  }

  private static void checkShape(ChainPart part) throws PartRefused {
    Set<HopAddress> seen = new HashSet<>();
    for (int i = 0; i < part.inlets().size(); i++) {
      PartInlet inlet = part.inlets().get(i);
      if ((inlet.ingress() == null) == (inlet.relay() == null)) {
        throw invalid("inlets[" + i + "]: give one of ingress and relay");
      }
      if (inlet.hop().equals(FROM_SOURCE) != (inlet.ingress() != null)) {
        throw invalid(
            "inlets["
                + i
                + "].hop: "
                + text(inlet.hop())
                + " (expected: 0.0.0 with ingress, a later hop with relay)");
      }
      if (!seen.add(inlet.hop())) {
        throw invalid("inlets[" + i + "].hop: " + text(inlet.hop()) + " twice");
      }
    }
    seen.clear();
    int egresses = 0;
    for (int i = 0; i < part.outlets().size(); i++) {
      PartOutlet outlet = part.outlets().get(i);
      if ((outlet.relay() == null) == (outlet.egress() == null)) {
        throw invalid("outlets[" + i + "]: give one of relay and egress");
      }
      if (!seen.add(outlet.hop())) {
        throw invalid("outlets[" + i + "].hop: " + text(outlet.hop()) + " twice");
      }
      egresses += outlet.egress() == null ? 0 : 1;
    }
    if (egresses > 1) {
      throw invalid("outlets: " + egresses + " with egress (expected: at most 1)");
    }
  }

  /** Makes a junction: it has all hops of its two segments that end or begin at the relay. */
  private static PartPassage junction(List<PartInlet> inlets, List<PartOutlet> outlets)
      throws PartRefused {
    if (inlets.isEmpty()) {
      throw invalid("outlets: " + text(outlets.getFirst().hop()) + " has no inlet before it");
    }
    HopAddress in = inlets.getFirst().hop();
    if (outlets.isEmpty()) {
      throw invalid("inlets: " + text(in) + " has no outlet behind it");
    }
    for (PartInlet inlet : inlets) {
      if (!inlet.hop().segment().equals(in.segment())) {
        throw invalid(
            "inlets: "
                + text(inlet.hop())
                + " and "
                + text(in)
                + " end here (expected: hops of one segment)");
      }
    }
    for (PartOutlet outlet : outlets) {
      HopAddress out = outlet.hop();
      if (out.segment() != in.segment() + 1 || out.hop() != 0) {
        throw invalid(
            "outlets: "
                + text(out)
                + " (expected: "
                + text(behind(in))
                + ", the one behind an inlet, or a first hop of segment "
                + (in.segment() + 1)
                + ")");
      }
      if (out.pipe() != outlets.indexOf(outlet)) {
        throw invalid("outlets: " + text(out) + " (expected: every pipe of the segment, in order)");
      }
      if (outlet.egress() != null && outlets.size() > 1) {
        throw invalid("outlets: an egress beside others (expected: alone)");
      }
    }
    return new PartPassage(inlets, outlets);
  }

  /** The port for clients; null where streams come from relays. */
  @Nullable Ingress ingress() {
    return inlets.getFirst().ingress();
  }

  /** Whether streams arrive in several pipes, or in one framed pipe. */
  boolean combines() {
    return changesSegment() && ingress() == null;
  }

  /** Whether streams leave in several pipes, or in one framed pipe. */
  boolean splits() {
    return changesSegment() && outlets.getFirst().egress() == null;
  }

  /** Whether streams are reassembled from pipes or split into pipes here. */
  boolean isJunction() {
    return combines() || splits();
  }

  private boolean changesSegment() {
    return !outlets.getFirst().hop().segment().equals(inlets.getFirst().hop().segment());
  }

  /** Whether a hop ends here. */
  boolean hasInlet(HopAddress hop) {
    return inlets.stream().anyMatch(inlet -> inlet.hop().equals(hop));
  }

  static String text(HopAddress hop) {
    return hop.segment() + "." + hop.pipe() + "." + hop.hop();
  }

  private static PartRefused invalid(String message) {
    return new PartRefused(PartRefused.Kind.INVALID, message);
  }
}
