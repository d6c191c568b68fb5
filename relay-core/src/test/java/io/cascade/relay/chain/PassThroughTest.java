package io.cascade.relay.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopAddress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which parts a relay takes. */
class PassThroughTest {
  private static final Ingress INGRESS = new Ingress(null, 0, null);
  private static final HopInlet BEFORE = new HopInlet("k".repeat(43), null);
  private static final HopOutlet NEXT = new HopOutlet("next", 7411, "k".repeat(43), null);
  private static final Egress EGRESS = new Egress("db", 5432, null, null);

  @Test
  void oneInletAndOneOutletBehindItAreTaken() throws PartRefused {
    PartInlet fromClients = new PartInlet(hop(0, 0, 0), INGRESS, null, null);
    PartOutlet onward = new PartOutlet(hop(0, 0, 1), NEXT, null, null);
    assertThat(PassThrough.of(part(List.of(fromClients), List.of(onward))))
        .isEqualTo(new PassThrough(fromClients, onward));

    PartInlet ofAPipe = new PartInlet(hop(1, 3, 4), null, BEFORE, null);
    PartOutlet ofTheSame = new PartOutlet(hop(1, 3, 5), NEXT, null, null);
    assertThat(PassThrough.of(part(List.of(ofAPipe), List.of(ofTheSame))).inlet())
        .as("whichever pipe a relay between junctions belongs to")
        .isEqualTo(ofAPipe);
  }

  @ParameterizedTest
  @MethodSource
  void othersAreRefusedByName(
      List<PartInlet> inlets, List<PartOutlet> outlets, PartRefused.Kind kind, String message) {
    assertThatThrownBy(() -> PassThrough.of(part(inlets, outlets)))
        .isInstanceOfSatisfying(
            PartRefused.class, refused -> assertThat(refused.kind()).isEqualTo(kind))
        .hasMessage(message);
  }

  static Stream<Arguments> othersAreRefusedByName() {
    PartInlet first = new PartInlet(hop(0, 0, 0), INGRESS, null, null);
    PartInlet later = new PartInlet(hop(0, 0, 1), null, BEFORE, null);
    PartOutlet last = new PartOutlet(hop(0, 0, 1), null, EGRESS, null);
    return Stream.of(
        Arguments.of(
            List.of(later, later),
            List.of(last),
            PartRefused.Kind.UNSUPPORTED,
            "inlets: 2 (expected: 1, for this relay neither splits nor combines)"),
        Arguments.of(
            List.of(first),
            List.of(last, last, last),
            PartRefused.Kind.UNSUPPORTED,
            "outlets: 3 (expected: 1, for this relay neither splits nor combines)"),
        Arguments.of(
            List.of(new PartInlet(hop(0, 0, 0), INGRESS, BEFORE, null)),
            List.of(last),
            PartRefused.Kind.INVALID,
            "inlets[0]: give one of ingress and relay"),
        Arguments.of(
            List.of(new PartInlet(hop(0, 0, 0), null, null, null)),
            List.of(last),
            PartRefused.Kind.INVALID,
            "inlets[0]: give one of ingress and relay"),
        Arguments.of(
            List.of(first),
            List.of(new PartOutlet(hop(0, 0, 1), NEXT, EGRESS, null)),
            PartRefused.Kind.INVALID,
            "outlets[0]: give one of relay and egress"),
        Arguments.of(
            List.of(new PartInlet(hop(0, 0, 1), INGRESS, null, null)),
            List.of(new PartOutlet(hop(0, 0, 2), null, EGRESS, null)),
            PartRefused.Kind.INVALID,
            "inlets[0].hop: 0.0.1 (expected: 0.0.0 with ingress, a later hop with relay)"),
        Arguments.of(
            List.of(new PartInlet(hop(0, 0, 0), null, BEFORE, null)),
            List.of(last),
            PartRefused.Kind.INVALID,
            "inlets[0].hop: 0.0.0 (expected: 0.0.0 with ingress, a later hop with relay)"),
        Arguments.of(
            List.of(first),
            List.of(new PartOutlet(hop(0, 1, 1), NEXT, null, null)),
            PartRefused.Kind.INVALID,
            "outlets[0].hop: 0.1.1 (expected: 0.0.1, the one behind the inlet's)"),
        Arguments.of(
            List.of(later),
            List.of(last),
            PartRefused.Kind.INVALID,
            "outlets[0].hop: 0.0.1 (expected: 0.0.2, the one behind the inlet's)"));
  }

  private static HopAddress hop(int segment, int pipe, int hop) {
    return new HopAddress(segment, pipe, hop);
  }

  private static ChainPart part(List<PartInlet> inlets, List<PartOutlet> outlets) {
    return new ChainPart(inlets, outlets, 60, null, null);
  }
}
