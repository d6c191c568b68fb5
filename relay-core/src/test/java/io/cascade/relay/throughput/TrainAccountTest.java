package io.cascade.relay.throughput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cascade.api.relay.PacketTrainEnd;
import io.cascade.api.relay.PacketTrainReport;
import io.cascade.relay.probe.TrainCodec;
import io.cascade.relay.probe.TrainPacket;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/** What a train of 100 packets of 1,000 octets, one each millisecond, shows. */
class TrainAccountTest {
  private static final int PACKETS = 100;
  private static final long BEGIN = 7_000_000_000_000L;

  /** The time by which the far clock is ahead. */
  private static final long FAR = 7_200_000_000_000L;

  private final TrainAccount account = new TrainAccount(PACKETS, 1_000);

  @Test
  void everyPacketComesBack() {
    run(_ -> false, _ -> false, _ -> 10, _ -> 10);
    PacketTrainReport report = account.report(PacketTrainEnd.PACKETS);
    assertThat(account.isComplete()).isTrue();
    assertThat(report.lostThere()).isZero();
    assertThat(report.reflected()).isEqualTo(PACKETS);
    assertThat(report.lostBack()).isZero();
    assertThat(report.minRttMillis()).isEqualTo(20, within(0.01));
    assertThat(report.delayThere().highMillis()).isEqualTo(0, within(0.01));
    assertThat(report.sentBitsPerSecond()).isEqualTo(8e6, within(1e3));
    assertThat(report.receivedThereBitsPerSecond()).isEqualTo(8e6, within(1e5));
    assertThat(report.receivedBackBitsPerSecond()).isEqualTo(8e6, within(1e5));
  }

  @Test
  void lossesAreToldApartByDirection() {
    run(packet -> packet % 10 == 3, packet -> packet % 10 == 7, _ -> 10, _ -> 10);
    PacketTrainReport report = account.report(PacketTrainEnd.PACKETS);
    assertThat(report.lostThere()).isEqualTo(10);
    assertThat(report.reflected()).isEqualTo(90);
    assertThat(report.lostBack()).isEqualTo(10);
  }

  @Test
  void whatNoLaterAnswerTellsOfWasLostThere() {
    run(_ -> false, packet -> packet >= 90, _ -> 10, _ -> 10);
    PacketTrainReport report = account.report(PacketTrainEnd.PACKETS);
    assertThat(report.lostThere()).isEqualTo(10);
    assertThat(report.lostBack()).isZero();
  }

  @Test
  void aQueueOnTheWayThereShowsThereAlone() {
    run(_ -> false, _ -> false, packet -> 10 + packet, _ -> 10);
    PacketTrainReport report = account.report(PacketTrainEnd.PACKETS);
    assertThat(report.delayThere().medianMillis()).isEqualTo(50, within(1.5));
    assertThat(report.delayThere().highMillis()).isEqualTo(94, within(1.5));
    assertThat(report.delayBack().highMillis()).isEqualTo(0, within(0.01));
    assertThat(report.receivedThereBitsPerSecond())
        .as("one packet each second millisecond")
        .isEqualTo(4e6, within(1e5));
  }

  @Test
  void aFarClockThatPressesTheTrainTogetherShowsNoMoreThanWasSent() {
    run(_ -> false, _ -> false, packet -> 110 - packet, _ -> 10);
    PacketTrainReport report = account.report(PacketTrainEnd.PACKETS);
    Double there = report.receivedThereBitsPerSecond();
    assertThat(there == null || there <= report.sentBitsPerSecond()).isTrue();
  }

  @Test
  void anAnswerCountsOnceAndOnlyToWhatWasSent() {
    long timestamp = TrainCodec.timestamp(BEGIN);
    account.sent(0, timestamp);
    TrainPacket.Reflected answer = answer(0, 0, timestamp);
    assertThat(account.answered(answer, 5)).isTrue();
    assertThat(account.answered(answer, 6)).as("doubled").isFalse();
    account.sent(10, timestamp);
    assertThat(account.answered(answer(0, 1, timestamp), 15)).as("a number used before").isFalse();
    assertThat(account.answered(answer(7, 1, timestamp), 15)).as("more than sent").isFalse();
    assertThat(account.answered(answer(1, 2, timestamp), 15)).as("not sent").isFalse();
    assertThat(account.answered(answer(1, -1, timestamp), 15)).isFalse();
    assertThat(account.answered(answer(1, 1, timestamp + 1), 15)).as("another time").isFalse();
    assertThat(account.answered(answer(1, 1, timestamp), 15)).isTrue();
  }

  private static TrainPacket.Reflected answer(int number, int test, long timestamp) {
    long far = TrainCodec.timestamp(BEGIN + 3_000_000_000L);
    return new TrainPacket.Reflected(number, far, far, test, timestamp);
  }

  private void run(
      IntPredicate lostThere,
      IntPredicate lostBack,
      IntToDoubleFunction millisThere,
      IntToDoubleFunction millisBack) {
    int reflected = 0;
    for (int packet = 0; packet < PACKETS; packet++) {
      long sent = packet * 1_000_000L;
      long timestamp = TrainCodec.timestamp(BEGIN + sent);
      account.sent(sent, timestamp);
      if (lostThere.test(packet)) {
        continue;
      }
      long received = sent + (long) (millisThere.applyAsDouble(packet) * 1e6);
      long far = TrainCodec.timestamp(BEGIN + FAR + received);
      int number = reflected++;
      if (!lostBack.test(packet)) {
        account.answered(
            new TrainPacket.Reflected(number, far, far, packet, timestamp),
            received + (long) (millisBack.applyAsDouble(packet) * 1e6));
      }
    }
  }
}
