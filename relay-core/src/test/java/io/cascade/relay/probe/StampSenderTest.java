package io.cascade.relay.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.orchestrator.LinkMeasurement;
import io.cascade.relay.probe.StampSender.Departure;
import io.cascade.relay.probe.StampSender.Peer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class StampSenderTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Peer B = peer("b", 1);
  private static final Peer C = peer("c", 2);

  private final StampSender sender = new StampSender(new SplittableRandom(4));
  private long now = 7 * SECOND;

  @Test
  void sendsNothingWithoutPeers() {
    assertThat(sender.next(now, 1)).isNull();
    assertThat(sender.untilNext(now)).isNull();
  }

  @Test
  void anAddressIsInUseUntilItIsSilentForAMinute() {
    assertThat(sender.inUse("b", now)).isNull();
    sender.peers(List.of(B), now);

    assertThat(sender.inUse(B.name(), now + 60 * SECOND)).isEqualTo(B.address());
    assertThat(sender.inUse(B.name(), now + 61 * SECOND)).isNull();
  }

  @Test
  void probesANewPeerTwentyTimesASecondAndTenTimesLater() {
    sender.peers(List.of(B), now);
    assertThat(run(5).get(B.address())).isCloseTo(100, within(8));
    assertThat(run(20).get(B.address())).isCloseTo(200, within(10));
  }

  @Test
  void probesAKnownPeerAsSeldomAsItIsToldAndANewOneAtFullPace() {
    sender.peers(List.of(B), now);
    run(5);
    sender.pace(Duration.ofSeconds(2), now);
    sender.peers(List.of(B, C), now);
    Map<InetSocketAddress, Integer> sent = run(5);
    assertThat(sent.get(B.address())).isBetween(1, 4);
    assertThat(sent.get(C.address())).isCloseTo(100, within(8));
    assertThat(run(100).get(C.address())).isCloseTo(50, within(5));
  }

  @Test
  void probesAtFullPaceAsSoonAsItIsToldTo() {
    sender.peers(List.of(B), now);
    run(5);
    sender.pace(Duration.ofHours(1), now);
    run(5);
    sender.pace(Duration.ZERO, now);
    assertThat(sender.untilNext(now)).isLessThan(Duration.ofMillis(126));
    assertThat(run(20).get(B.address())).isCloseTo(200, within(10));
  }

  @Test
  void givesAllPeersTogetherTwoHundredProbesASecondInEqualShares() {
    sender.peers(peers(100), now);
    run(6);
    Map<InetSocketAddress, Integer> sent = run(20);
    assertThat(sent.values().stream().mapToInt(Integer::intValue).sum())
        .isCloseTo(4_000, within(80));
    assertThat(sent).hasSize(100);
    assertThat(sent.values()).allSatisfy(count -> assertThat(count).isBetween(30, 50));
  }

  @Test
  void probesPeersOfASlowPaceTogetherAndNoMoreOftenThanOneByOne() {
    sender.peers(peers(7), now);
    run(6);
    sender.pace(Duration.ofSeconds(3), now);
    run(10);
    Set<Long> wakeUps = new HashSet<>();
    Map<InetSocketAddress, Integer> sent = run(300, wakeUps);
    assertThat(sent).hasSize(7);
    assertThat(sent.values()).allSatisfy(count -> assertThat(count).isBetween(90, 111));
    assertThat(wakeUps).hasSizeBetween(90, 111);
  }

  @Test
  void sendsNoMoreTogetherThanAPacketOfDataHolds() {
    sender.peers(peers(40), now);
    run(6);
    sender.pace(Duration.ofSeconds(3), now);
    run(10);
    Map<Long, Integer> bursts = new HashMap<>();
    for (long end = now + 60 * SECOND; now < end; ) {
      departure();
      bursts.merge(now, 1, Integer::sum);
    }
    assertThat(bursts.values())
        .allSatisfy(burst -> assertThat(burst).isLessThanOrEqualTo(StampSender.MOST_TOGETHER));
    assertThat(bursts.values().stream().mapToInt(Integer::intValue).sum())
        .isCloseTo(800, within(60));
  }

  @Test
  void probesOfANewPeerDoNotWaitForThoseOfASlowPace() {
    sender.peers(List.of(B), now);
    run(6);
    sender.pace(Duration.ofSeconds(3), now);
    sender.peers(List.of(B, C), now);
    assertThat(run(4).get(C.address())).isCloseTo(80, within(8));
  }

  @Test
  void doesNotMakeUpForProbesThatItWasTooLateFor() {
    sender.peers(List.of(B), now);
    run(10);
    now += 60 * SECOND;
    assertThat(sender.next(now, 1)).isNotNull();
    assertThat(sender.next(now, 1)).isNull();
  }

  @Test
  void keepsMeasuringAPeerThatIsNamedAgain() {
    sender.peers(List.of(B), now);
    answerAll(1);
    sender.peers(List.of(C, B), now);
    assertThat(report().links()).extracting(LinkMeasurement::peer).containsExactly("b");
    assertThat(report().links().getFirst().received()).isPositive();
  }

  @Test
  void startsAnewWithAPeerThatMoved() {
    sender.peers(List.of(B), now);
    answerAll(1);
    sender.peers(List.of(new Peer("b", C.address())), now);
    assertThat(report().links()).isEmpty();
    assertThat(run(1)).containsOnlyKeys(C.address());
  }

  @Test
  void forgetsPeersThatAreNoLongerNamed() {
    sender.peers(List.of(B, C), now);
    answerAll(1);
    sender.peers(List.of(C), now);
    assertThat(report().links()).extracting(LinkMeasurement::peer).containsExactly("c");
    assertThat(run(1)).containsOnlyKeys(C.address());
  }

  @Test
  void takesAnswersBySessionAndDropsThoseOfNone() {
    sender.peers(List.of(B), now);
    StampPacket.Test test = departure().packet();
    assertThat(sender.answered(answer(test, (short) (test.session() + 1)), now)).isFalse();
    assertThat(sender.answered(answer(test, test.session()), now)).isTrue();
  }

  @Test
  void reportsAgainUntilItIsDelivered() {
    sender.peers(List.of(B, C), now);
    answerAll(2);
    LinkReport failed = report();
    long first = received(failed);
    answerAll(2);
    LinkReport second = report();
    assertThat(received(second)).isGreaterThan(first);
    second.delivered();
    second.delivered();
    failed.delivered();
    assertThat(report().links()).isEmpty();
  }

  @Test
  void reportsOnlyWhatCameAfterTheReportThatWasDelivered() {
    sender.peers(List.of(B), now);
    answerAll(2);
    LinkReport report = report();
    long atReport = received(report);
    answerAll(2);
    long inAll = received(report());
    report.delivered();
    assertThat(received(report())).isEqualTo(inAll - atReport);
  }

  private static long received(LinkReport report) {
    return report.links().stream().mapToLong(LinkMeasurement::received).sum();
  }

  private LinkReport report() {
    return sender.report(now, Runnable::run);
  }

  /** Probes sent to each target within these seconds. */
  private Map<InetSocketAddress, Integer> run(int seconds) {
    return run(seconds, new HashSet<>());
  }

  /**
   * Probes sent to each target within these seconds.
   *
   * @param wakeUps takes the times at which some were sent
   */
  private Map<InetSocketAddress, Integer> run(int seconds, Set<Long> wakeUps) {
    Map<InetSocketAddress, Integer> sent = new HashMap<>();
    for (long end = now + seconds * SECOND; now < end; ) {
      sent.merge(departure().target(), 1, Integer::sum);
      wakeUps.add(now);
    }
    return sent;
  }

  private void answerAll(int seconds) {
    for (long end = now + seconds * SECOND; now < end; ) {
      StampPacket.Test test = departure().packet();
      assertThat(sender.answered(answer(test, test.session()), now + SECOND / 100)).isTrue();
    }
  }

  private Departure departure() {
    now += Objects.requireNonNull(sender.untilNext(now)).toNanos();
    return Objects.requireNonNull(sender.next(now, now));
  }

  private static StampPacket.Reflected answer(StampPacket.Test test, short session) {
    return new StampPacket.Reflected(
        test.sequence(), 1, (short) 1, session, 1, test.sequence(), test.timestamp(), (short) 1);
  }

  private static List<Peer> peers(int count) {
    List<Peer> peers = new ArrayList<>();
    for (int i = 1; i <= count; i++) {
      peers.add(peer("r" + i, i));
    }
    return peers;
  }

  private static Peer peer(String name, int number) {
    return new Peer(name, new InetSocketAddress("192.0.2." + number, 7411));
  }
}
