package io.cascade.relay.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.Json;
import io.cascade.api.orchestrator.HopAddress;
import io.cascade.api.relay.ChainPart;
import io.cascade.api.relay.Egress;
import io.cascade.api.relay.HopInlet;
import io.cascade.api.relay.HopOptions;
import io.cascade.api.relay.HopOutlet;
import io.cascade.api.relay.Ingress;
import io.cascade.api.relay.PartInlet;
import io.cascade.api.relay.PartOutlet;
import io.cascade.api.relay.StreamOptions;
import io.cascade.carriage.transport.CongestionControls;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.TestParts;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.stream.StreamSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PartSettingsTest {
  @Test
  void aStreamHoldsFourMebibytesUnlessItsChainOrItsRelaySaysOtherwise() throws Exception {
    PartSettings silent = of(null);
    assertThat(silent.streams().bufferBytes()).isEqualTo(4L << 20);
    assertThat(silent.streams(StreamSettings.DEFAULT_BUFFER_BYTES).bufferBytes())
        .isEqualTo(4L << 20);
    assertThat(silent.streams(1 << 20).bufferBytes()).isEqualTo(1 << 20);

    PartSettings own = of(Map.of("bufferBytes", 8 << 20));
    assertThat(own.streams(1 << 20).bufferBytes()).isEqualTo(8 << 20);
  }

  @Test
  void aHalfClosedStreamHasAnHourAndAnIdleOneForEver() throws Exception {
    PartSettings silent = of(null);
    assertThat(silent.streams().halfCloseTimeout()).isEqualTo(Duration.ofHours(1));
    assertThat(silent.streams().idleTimeout()).isZero();
    assertThat(silent.mostStreams()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void connectionsToClientsAndDestinationsRespondToLossWhereNoControlWasAskedFor()
      throws Exception {
    CongestionControls offered = new CongestionControls(List.of("cubic", "bbr"), "cubic", false);

    assertThat(of(null, offered).streams().inlet().respondsToLoss()).isTrue();
    assertThat(of(null, offered).streams().onward().respondsToLoss()).isTrue();
    assertThat(
            of(Map.of("congestionControl", "cubic"), offered).streams().onward().respondsToLoss())
        .isFalse();
  }

  @Test
  void soDoHopsBetweenRelays() throws Exception {
    CongestionControls offered = new CongestionControls(List.of("cubic", "bbr"), "cubic", false);

    StreamSettings hops = between(null, offered);
    assertThat(hops.inlet().respondsToLoss()).isTrue();
    assertThat(hops.onward().respondsToLoss()).isTrue();

    StreamSettings chosen =
        between(HopOptions.builder().congestionControl("cubic").build(), offered);
    assertThat(chosen.inlet().respondsToLoss()).as("one whose control was chosen").isFalse();
    assertThat(chosen.onward().respondsToLoss()).isFalse();
  }

  @Test
  void whereTheOperatorOffersNoBbrNothingRespondsToLoss() throws Exception {
    CongestionControls offered = new CongestionControls(List.of("cubic"), "cubic", false);

    assertThat(of(null, offered).streams().onward().respondsToLoss()).isFalse();
  }

  /** Settings of a relay in the middle of a chain. */
  private static StreamSettings between(@Nullable HopOptions hop, CongestionControls controls)
      throws PartRefused {
    HopAddress address = new HopAddress(0, 0, 0);
    return PartSettings.of(
            null,
            PartInlet.builder()
                .hop(address)
                .relay(HopInlet.builder().key("key").build())
                .options(hop)
                .build(),
            PartOutlet.builder()
                .hop(address)
                .relay(HopOutlet.builder().host("there").port(1).key("key").build())
                .options(hop)
                .build(),
            Transport.EPOLL,
            PumpMode.COPY,
            controls)
        .streams();
  }

  private static PartSettings of(@Nullable Map<String, ?> options) throws PartRefused {
    return of(options, CongestionControls.of(Transport.NIO, null));
  }

  private static PartSettings of(@Nullable Map<String, ?> options, CongestionControls controls)
      throws PartRefused {
    StreamOptions asked =
        options == null ? null : Json.strict().convertValue(options, StreamOptions.class);
    ChainPart part =
        TestParts.of(
            0,
            60,
            Ingress.builder().port(0).build(),
            null,
            null,
            Egress.builder().host("127.0.0.1").port(9).proxyProtocol(false).build(),
            asked,
            null);
    return PartSettings.of(
        part.options(),
        part.inlets().getFirst(),
        part.outlets().getFirst(),
        Transport.EPOLL,
        PumpMode.COPY,
        controls);
  }
}
