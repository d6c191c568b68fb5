package io.cascade.relay.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.LeakWatch;
import io.cascade.carriage.transport.Transport;
import io.cascade.relay.Hops;
import io.cascade.relay.conformance.Relays.StagedChain;
import io.cascade.relay.conformance.Relays.Way;
import io.cascade.relay.pump.PumpMode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
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
      for (Script script : NamedScripts.all()) {
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
    List<RelayMode> modes = RelayMode.all();
    return IntStream.range(0, modes.size())
        .mapToObj(i ->
            DynamicContainer.dynamicContainer(
                modes.get(i).toString(), plays(modes.get(i), i).map(ConformanceTest::test)));
  }

  private record Play(Way way, Script script) {}

  private static DynamicTest test(Play play) {
    String relays = WHOLE ? ", " + play.way.relays() + " relays" : "";
    return DynamicTest.dynamicTest(play.script.name() + relays, () -> play(play.way, play.script));
  }

  /**
   * A case has another number of relays in each mode that holds nothing back, so that every number
   * has some of the cases in every mode and every case most of the numbers. Of three, which all
   * other modes have, the middle one knows hops alone.
   *
   * @param place of the mode among all
   */
  private static Stream<Play> plays(RelayMode mode, int place) {
    List<Script> all = NamedScripts.all();
    List<Script> played =
        IntStream.range(0, all.size())
            .filter(i -> isPlayed(mode, i))
            .mapToObj(all::get)
            .filter(mode::plays)
            .toList();
    List<Integer> lengths = lengths(mode);
    return IntStream.range(0, played.size())
        .boxed()
        .flatMap(i -> {
          Stream<Integer> chosen =
              WHOLE ? lengths.stream() : Stream.of(lengths.get((i + place) % lengths.size()));
          return chosen.map(relays -> new Play(new Way(mode, relays), played.get(i)));
        });
  }

  /** A mode that is like another in most plays half of the cases, for the time that they take. */
  private static boolean isPlayed(RelayMode mode, int number) {
    boolean isLikeAnother =
        mode.pump() == PumpMode.COPY
            || mode.hops() == Hops.TLS_OF_THE_JDK
            || mode.manner() == RelayMode.Manner.WITHOUT_WARM_CONNECTIONS;
    return WHOLE || !isLikeAnother || (number % 2 == 0) == (mode.pump() != PumpMode.AUTO);
  }

  /**
   * Lengths of chains: one hop where hops are what matters. On NIO every relay waits before a
   * reset.
   */
  private static List<Integer> lengths(RelayMode mode) {
    if (mode.transport() == Transport.NIO && !WHOLE) {
      return List.of(1);
    }
    if (mode.manner() != RelayMode.Manner.AT_ONCE) {
      return List.of(3);
    }
    return IntStream.rangeClosed(mode.hops().areEncrypted() ? 2 : 1, Relays.MOST).boxed().toList();
  }

  @TestFactory
  Stream<DynamicNode> everyCaseComesToItsEndOnADirectConnection() {
    return NamedScripts.all().stream()
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
    StagedChain route = relays.route(way);
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
    if (way.mode().pump() == PumpMode.COPY) {
      assertThat(route.splicedBytes()).as("spliced although it is to be copied").isZero();
    }
  }
}
