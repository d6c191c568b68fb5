package io.cascade.packets.connections;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.FIN;
import static io.cascade.packets.header.TestPacket.RST;
import static io.cascade.packets.header.TestPacket.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConnectionHandlerTest {
  private static final long SECOND = 1_000_000_000L;

  private final ConnectionHandler handler = new ConnectionHandler(2);
  private long now = 5;

  @Test
  void isActiveOnceTheAnswerHasComeBackThisWay() {
    assertThat(state(outbound(TestPacket.outbound().flags(SYN).sequence(-1))))
        .isEqualTo(ConnectionState.PENDING);
    assertThat(state(inbound(TestPacket.inbound().flags(SYN | ACK).acknowledgment(0))))
        .isEqualTo(ConnectionState.ACTIVE);
    assertThat(state(outbound(TestPacket.outbound().flags(FIN | ACK))))
        .isEqualTo(ConnectionState.CLOSING);
  }

  @Test
  void mayBeOpenedFromTheFarSide() {
    Connection opened = inbound(TestPacket.inbound().flags(SYN).sequence(9));
    outbound(TestPacket.outbound().flags(SYN | ACK).acknowledgment(10));

    assertThat(state(opened)).isEqualTo(ConnectionState.ACTIVE);
    assertThat(opened).isNotNull().extracting(Connection::openedByNear).isEqualTo(false);
  }

  @Test
  void neverConfirmsWhatDoesNotComeBackThisWay() {
    Connection opened = outbound(TestPacket.outbound().flags(SYN).sequence(9));

    outbound(TestPacket.outbound().sequence(10).payload(100)); // Its ACK went another way.
    inbound(TestPacket.inbound().flags(SYN | ACK).acknowledgment(77));
    outbound(TestPacket.outbound().flags(SYN | ACK).acknowledgment(10));

    assertThat(state(opened)).isEqualTo(ConnectionState.PENDING);
  }

  @Test
  void hasNoRecordOfWhatBeganBefore() {
    assertThat(outbound(TestPacket.outbound().payload(10))).isNull();
    assertThat(inbound(TestPacket.inbound().flags(SYN | ACK))).isNull();
    assertThat(handler.count()).isZero();
  }

  @Test
  void aFullTableTakesNoMore() {
    outbound(TestPacket.outbound().flags(SYN).nearPort(1));
    outbound(TestPacket.outbound().flags(SYN).nearPort(2));

    handler.sweep(now);
    assertThat(outbound(TestPacket.outbound().flags(SYN).nearPort(3))).isNull();
    assertThat(handler.refused()).isEqualTo(1);
    now += 60 * SECOND;
    assertThat(outbound(TestPacket.outbound().flags(SYN).nearPort(3))).isNotNull();
    assertThat(handler.count()).isEqualTo(1);
    assertThat(handler.sweep(now)).as("what made room").hasSize(2);
    assertThat(handler.sweep(now)).isEmpty();
  }

  @Test
  void silentRecordsAreForgotten() {
    active();

    now += 60 * SECOND;
    assertThat(handler.sweep(now)).isEmpty();
    now += 900 * SECOND;
    assertThat(handler.sweep(now)).hasSize(1);
    assertThat(handler.count()).isZero();
  }

  @Test
  void aCredibleResetEndsARecordAndAForgedOneDoesNot() {
    active();
    outbound(TestPacket.outbound().sequence(1).acknowledgment(101).payload(10));

    inbound(TestPacket.inbound().flags(RST).sequence(50_000_000));
    assertThat(handler.count()).isEqualTo(1);
    Connection ended = inbound(TestPacket.inbound().flags(RST).sequence(101));
    assertThat(state(ended)).isEqualTo(ConnectionState.CLOSED);
    assertThat(handler.count()).isZero();
  }

  @Test
  void acknowledgingWhatWasNotSentChangesNothing() {
    Connection running = active();
    TestPacket beyond = TestPacket.inbound().sequence(101).acknowledgment(12);
    outbound(TestPacket.outbound().sequence(1).acknowledgment(101).payload(10));

    assertThat(inbound(beyond.flags(FIN | ACK))).isSameAs(running);
    assertThat(running.acknowledgesUnsent(beyond.packet(), false)).isTrue();
    assertThat(state(running)).isEqualTo(ConnectionState.ACTIVE);

    outbound(TestPacket.outbound().sequence(11).acknowledgment(101).payload(1));
    assertThat(running.acknowledgesUnsent(beyond.packet(), false)).as("sent now").isFalse();
    assertThat(state(inbound(beyond.flags(FIN | ACK)))).isEqualTo(ConnectionState.CLOSING);
  }

  @Test
  void dataFarBeyondEveryWindowDoesNotCountAsSent() {
    Connection running = active();
    outbound(TestPacket.outbound().sequence(1).acknowledgment(101).payload(10));
    inbound(TestPacket.inbound().sequence(101).acknowledgment(11));

    outbound(TestPacket.outbound().sequence(1 << 30).acknowledgment(101).payload(100));
    assertThat(
            running.acknowledgesUnsent(
                TestPacket.inbound().sequence(101).acknowledgment(1 << 30).packet(), false))
        .isTrue();
  }

  @Test
  void aForgedSynChangesNothing() {
    Connection running = active();

    assertThat(outbound(TestPacket.outbound().flags(SYN).sequence(12345))).isSameAs(running);
    assertThat(inbound(TestPacket.inbound().flags(SYN).sequence(54321))).isSameAs(running);
    assertThat(state(running)).isEqualTo(ConnectionState.ACTIVE);
  }

  @Test
  void portsThatAreUsedAgainBeginANewRecord() {
    Connection first = active();
    outbound(TestPacket.outbound().flags(FIN | ACK).sequence(1).acknowledgment(101));

    Connection second = outbound(TestPacket.outbound().flags(SYN).sequence(7_000));
    assertThat(second).isNotSameAs(first);
    assertThat(state(second)).isEqualTo(ConnectionState.PENDING);
    assertThat(outbound(TestPacket.outbound().flags(SYN).sequence(7_000))).isSameAs(second);
    assertThat(handler.sweep(now)).containsExactly(first);
  }

  private Connection active() {
    outbound(TestPacket.outbound().flags(SYN).sequence(0));
    Connection active =
        inbound(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    if (active == null) {
      throw new AssertionError("no record");
    }
    return active;
  }

  private @Nullable Connection outbound(TestPacket form) {
    TcpPacket packet = form.packet();
    return handler.handle(ConnectionId.ofOutbound(packet), packet, true, now);
  }

  private @Nullable Connection inbound(TestPacket form) {
    TcpPacket packet = form.packet();
    return handler.handle(ConnectionId.ofInbound(packet), packet, false, now);
  }

  private static @Nullable ConnectionState state(@Nullable Connection connection) {
    return connection == null ? null : connection.state();
  }
}
