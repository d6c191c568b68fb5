package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.Transport;
import io.cascade.relay.Hops;
import io.cascade.relay.RelayNode;
import io.cascade.relay.TestChain;
import io.cascade.relay.TestRelay;
import io.cascade.relay.conformance.RelayMode.Manner;
import io.cascade.relay.conformance.ScriptStep.Deed;
import io.cascade.relay.pump.PumpMode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A side sees through a chain bytes, an end or a reset when it sees them directly: what comes by
 * itself there waits for nobody here. How fast is not looked at.
 *
 * <p>The scripts say the same without a name for it, for a read that nothing comes to is stuck;
 * here is what it would have taken, and the state of the way back, which a relay might wait for.
 */
@Timeout(180)
@Tag("slow")
class TimingTest {
  /** Only what is held back takes so long. */
  private static final Duration SILENCE = Duration.ofSeconds(ScriptedPeer.PATIENCE_SECONDS);

  /** The wait where bytes are expected to be held back: a longer one would show nothing more. */
  private static final Duration SHORT_SILENCE = Duration.ofMillis(500);

  private ServerSocket destination;

  static Stream<RelayMode> modes() {
    return RelayMode.all().stream().filter(mode -> mode.manner() == Manner.AT_ONCE);
  }

  @BeforeEach
  void listen() throws Exception {
    destination = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    destination.setSoTimeout(ScriptedPeer.PATIENCE_SECONDS * 1_000);
  }

  @AfterEach
  void stop() throws Exception {
    destination.close();
  }

  @ParameterizedTest
  @MethodSource("modes")
  void everythingIsSeenWhenItIsSeenDirectly(RelayMode mode) throws Exception {
    try (TestChain chain = open(mode)) {
      Map<ScriptStep, ObservedDelay> direct = seen(here(), SILENCE);
      assertThat(direct.values()).containsOnly(ObservedDelay.BY_ITSELF);
      assertThat(seen(chain.ingressAddress(), SILENCE)).isEqualTo(direct);
    }
  }

  @Test
  void aChainThatHoldsBytesBackIsFound() throws Exception {
    ScriptStep little = new ScriptStep(true, Deed.SENDS, 1_000, ScriptStep.WayBack.SILENT);
    RelayMode mode =
        new RelayMode(Transport.best(), PumpMode.AUTO, Hops.PLAIN, Manner.STORED_WHOLE);
    try (TestChain chain = open(mode)) {
      assertThat(little.seen(chain.ingressAddress(), destination, SHORT_SILENCE))
          .isEqualTo(ObservedDelay.AFTER_ITS_END);
    }
  }

  @Test
  void aRelayThatWaitsForTheOtherDirectionsEndIsFound() throws Exception {
    try (HesitantRelay relay = HesitantRelay.to(here())) {
      for (boolean byClient : new boolean[] {true, false}) {
        for (Deed deed : List.of(Deed.ENDS, Deed.RESETS)) {
          ScriptStep moment = new ScriptStep(byClient, deed, 0, ScriptStep.WayBack.SILENT);
          assertThat(moment.seen(relay.address(), destination, SHORT_SILENCE))
              .as(moment.toString())
              .isEqualTo(ObservedDelay.AFTER_BOTH_ENDS);
        }
      }
    }
  }

  private InetSocketAddress here() {
    return (InetSocketAddress) destination.getLocalSocketAddress();
  }

  private Map<ScriptStep, ObservedDelay> seen(InetSocketAddress way, Duration silence)
      throws Exception {
    Map<ScriptStep, ObservedDelay> sights = new LinkedHashMap<>();
    for (ScriptStep moment : ScriptStep.all()) {
      try {
        sights.put(moment, moment.seen(way, destination, silence));
      } catch (Exception e) {
        throw new AssertionError(moment.toString(), e);
      }
    }
    return sights;
  }

  private TestChain open(RelayMode mode) throws Exception {
    List<RelayNode> row = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      row.add(
          TestRelay.on(mode.transport())
              .pump(mode.pump())
              .tls(mode.hops().library())
              .start("r" + i));
    }
    return TestChain.over(row, here(), mode.options(), mode.hops().areEncrypted());
  }
}
