package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.relay.LeakWatch;
import io.cascade.relay.conformance.Relays.Route;
import io.cascade.relay.conformance.Relays.Way;
import io.cascade.relay.transport.Transport;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * What both ends see of a stream through relays is what they see of a direct connection.
 *
 * <p>In more ways, which take minutes: {@code -Dcascade.conformance.whole=true}.
 */
class ConformanceTest {
  static final boolean WHOLE = Boolean.getBoolean("cascade.conformance.whole");

  private static Relays relays;
  private static Map<String, Stage.Views> direct;

  @BeforeAll
  static void playDirectly() throws Exception {
    LeakWatch.start();
    relays = new Relays();
    direct = new HashMap<>();
    try (Stage stage = Stage.open()) {
      for (Script script : Cases.all()) {
        direct.put(script.name(), stage.play(script, stage.address()));
      }
    }
  }

  @AfterAll
  static void nothingIsLeft() throws Exception {
    assertThat(relays.heldBytes()).isZero();
    relays.close();
    LeakWatch.assertNothingLeaks();
  }

  @TestFactory
  Stream<DynamicNode> isAsADirectConnection() {
    return RelayMode.all().stream()
        .flatMap(mode -> lengths(mode).map(relays -> new Way(mode, relays)))
        .map(way ->
            DynamicContainer.dynamicContainer(
                way.toString(),
                Cases.all().stream()
                    .filter(way.mode()::plays)
                    .map(script ->
                        DynamicTest.dynamicTest(script.name(), () -> play(way, script)))));
  }

  /**
   * Through how many relays. Of three, the middle one knows hops alone. On NIO every relay waits
   * before it passes a reset on.
   */
  private static Stream<Integer> lengths(RelayMode mode) {
    if (WHOLE && mode.manner() == RelayMode.Manner.AT_ONCE) {
      return Stream.of(1, 3, Relays.MOST);
    }
    return Stream.of(mode.transport() == Transport.NIO ? 1 : 3);
  }

  @TestFactory
  Stream<DynamicNode> everyCaseComesToItsEndOnADirectConnection() {
    return Cases.all().stream()
        .map(script ->
            DynamicTest.dynamicTest(
                script.name(),
                () -> {
                  assertThat(script.comesToItsEnd((sent, _) -> sent)).isTrue();
                  assertThat(String.valueOf(direct.get(script.name())))
                      .doesNotContain("stuck", "wrong", "for ever", "no connection");
                }));
  }

  private static void play(Way way, Script script) throws Exception {
    Route route = relays.route(way);
    Stage.Views views;
    try {
      views = route.play(script);
    } catch (AssertionError e) {
      relays.abandon(way);
      throw new AssertionError("through " + way + ": " + e.getMessage(), e);
    }
    Stage.Views wanted = direct.get(script.name());
    assertThat(views).as("through " + way + ": " + script).isEqualTo(wanted);
    if (wanted != null && wanted.clean()) {
      assertThat(route.reasons()).as("through " + way + ": " + script).containsOnly("completed");
    }
  }
}
