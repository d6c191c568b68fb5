package io.cascade.packets.scap;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.FIN;
import static io.cascade.packets.header.TestPacket.RST;
import static io.cascade.packets.header.TestPacket.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.forward.TestIp;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.TestPipes;
import io.cascade.packets.processing.DataAckProcessor;
import io.cascade.packets.signalling.SignallingMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScapTest {
  private static final long MILLI = 1_000_000L;

  private final Recorder output = new Recorder();
  private final SignallingMethod signalling = SignallingMethod.NONE;
  private List<IpPrefix> admitted = List.of();
  private Pipes pipes = TestPipes.of(40, 80);
  private Scap scap = scap(Mode.ROUND_ROBIN, 0);
  private long now;

  @Test
  void splitsOnceTheConnectionIsConfirmed() {
    outbound(TestPacket.outbound().flags(SYN).sequence(0));
    outbound(TestPacket.outbound().sequence(1).payload(10));
    outbound(TestPacket.outbound().sequence(11).payload(10));
    assertThat(output.pipes).containsExactly(0, 0, 0);

    inbound(TestPacket.inbound().flags(SYN | ACK).acknowledgment(1));
    outbound(TestPacket.outbound().sequence(21).payload(10));
    outbound(TestPacket.outbound().sequence(31).payload(10));
    assertThat(output.pipes).endsWith(0, 1);
    assertThat(output.near).hasSize(1);
    assertThat(scap.counts().split()).isEqualTo(2);
  }

  @Test
  void shortFlowsStayOnOnePipe() {
    scap = scap(Mode.ROUND_ROBIN, 1_000);
    open();
    for (int i = 0; i < 4; i++) {
      outbound(TestPacket.outbound().sequence(1 + 500 * i).payload(500));
    }

    assertThat(output.pipes).containsExactly(0, 0, 0, 0, 1);
  }

  /** What is not split yet is on no board: nothing may be taken out of what is said of it. */
  @Test
  void blocksOfWhatIsNotSplitPassAsTheyAre() {
    scap = scap(Mode.DEF_PLUS, 64 << 10);
    open();
    for (int i = 0; i < 4; i++) {
      outbound(TestPacket.outbound().sequence(1 + 500 * i).payload(500));
    }
    output.near.clear();

    TestPacket answer = TestPacket.inbound().sequence(101).acknowledgment(501);
    inbound(answer.sack(1_001, 1_501));
    inbound(answer.sack(1_001, 2_001));
    assertThat(output.near)
        .extracting(packet -> ((TcpPacket) packet).options().sackBlocks().size())
        .containsExactly(1, 1);
  }

  /** Where a path is cut behind its device nobody tells; the SYN that was lost there does. */
  @Test
  void aRepeatedSynTriesTheOtherPipesAndWhatFollowsGoesWhereItWasAnswered() {
    scap = scap(Mode.DEF_PLUS, 64 << 10);
    outbound(TestPacket.outbound().flags(SYN).sequence(0));
    outbound(TestPacket.outbound().flags(SYN).sequence(0));
    inbound(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    outbound(TestPacket.outbound().sequence(1).payload(10));
    assertThat(output.pipes).containsExactly(0, 1, 1);

    outbound(TestPacket.outbound().nearPort(7).flags(SYN).sequence(0));
    outbound(TestPacket.outbound().nearPort(7).flags(SYN).sequence(0));
    outbound(TestPacket.outbound().nearPort(7).flags(SYN).sequence(0));
    assertThat(output.pipes).endsWith(0, 1, 0);
  }

  /** Both hosts began anew and one uses the port again; a SYN alone may be forged. */
  @Test
  void aSynWithinARunningConnectionCountsOnceItIsAnswered() {
    open();
    outbound(TestPacket.outbound().sequence(1).payload(10));
    outbound(TestPacket.outbound().flags(SYN).sequence(5_000_000));
    assertThat(scap.connections().getFirst().outboundOctets()).isEqualTo(10);

    inbound(TestPacket.inbound().flags(SYN | ACK).sequence(900).acknowledgment(5_000_001));
    assertThat(scap.connections()).hasSize(1);
    assertThat(scap.connections().getFirst().outboundOctets()).isZero();
    outbound(TestPacket.outbound().sequence(5_000_001).acknowledgment(901).payload(10));
    assertThat(scap.connections().getFirst().outboundOctets()).isEqualTo(10);
    assertThat(scap.counts().split()).isEqualTo(2);
  }

  @Test
  void aSynThatIsRepeatedFromAfarIsAnsweredByThePipeThatBroughtIt() {
    scap = scap(Mode.DEF_PLUS, 64 << 10);
    inbound(1, TestPacket.inbound().flags(SYN).sequence(0));
    outbound(TestPacket.outbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    inbound(1, TestPacket.inbound().flags(SYN).sequence(0));
    outbound(TestPacket.outbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    outbound(TestPacket.outbound().sequence(101).acknowledgment(1).payload(10));
    outbound(TestPacket.outbound().sequence(111).acknowledgment(1));

    assertThat(output.pipes).containsExactly(0, 1, 1, 1);
  }

  @Test
  void aCombinerKnowsByTheAnswerWhereTheDataBegins() {
    scap = scap(Mode.PAIR, 0);
    inbound(TestPacket.inbound().flags(SYN).sequence(0));
    outbound(TestPacket.outbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    output.near.clear();

    inbound(1, TestPacket.inbound().sequence(1_001).acknowledgment(101).payload(1_000));
    assertThat(output.near).isEmpty();
    inbound(0, TestPacket.inbound().sequence(1).acknowledgment(101).payload(1_000));
    assertThat(output.near)
        .extracting(packet -> ((TcpPacket) packet).sequence())
        .containsExactly(1, 1_001);
  }

  @Test
  void whatIsNotSplitLeavesOutAPipeThatDeliversNothing() {
    pipes.at(new PipeId(0)).suspect(now);
    byte[] datagram = TestIp.udp("10.1.0.1", "10.2.0.1", 100).bytes();
    scap.outbound(datagram, datagram.length, now + 9_000 * MILLI);
    scap.outbound(datagram, datagram.length, now + 10_000 * MILLI);
    pipes.at(new PipeId(0)).suspect(now);
    pipes.at(new PipeId(1)).suspect(now);
    scap.outbound(datagram, datagram.length, now);
    pipes.at(new PipeId(1)).trust();
    scap.outbound(datagram, datagram.length, now);

    assertThat(output.pipes).as("it, where all are suspect").containsExactly(1, 0, 0, 1);
  }

  @Test
  void neverSplitsWhatItDidNotSeeBeginOrMustNot() {
    outbound(TestPacket.outbound().sequence(1).payload(10));
    outbound(TestPacket.outbound().sequence(11).payload(10));
    assertThat(output.pipes).containsExactly(0, 0);

    outbound(TestPacket.outbound().nearPort(22).flags(SYN).sequence(0));
    inbound(TestPacket.inbound().nearPort(22).flags(SYN | ACK).acknowledgment(1));
    outbound(TestPacket.outbound().nearPort(22).sequence(1).payload(10));
    outbound(TestPacket.outbound().nearPort(22).sequence(11).payload(10));
    assertThat(output.pipes).containsOnly(0);
    assertThat(scap.counts().withoutRecord()).isEqualTo(6);
    assertThat(scap.counts().connections()).isZero();
  }

  /** 40 ms of other packets wait in the quicker pipe: there the longer one delivers earlier. */
  @Test
  void earliestDeliveryCountsWhatIsNotSplit() {
    scap = scap(Mode.PAIR, 0);
    open();
    for (int i = 0; i < 8; i++) {
      byte[] datagram = TestIp.udp("10.1.0.1", "10.2.0.1", 1_500).bytes();
      scap.outbound(datagram, datagram.length, now);
    }
    outbound(TestPacket.outbound().sequence(1).payload(1_000));

    assertThat(output.pipes).endsWith(0, 1);
  }

  @Test
  void splitsOnlyWhatHasAnEndInAnAdmittedPrefix() {
    IpPrefix other = new IpPrefix(TestIp.address("10.77.0.0"), 16);
    admitted = List.of(other);
    scap = scap(Mode.ROUND_ROBIN, 0);
    open();
    outbound(TestPacket.outbound().sequence(1).payload(10));
    outbound(TestPacket.outbound().sequence(11).payload(10));
    assertThat(output.pipes).containsOnly(0);

    admitted = List.of(other, new IpPrefix(TestIp.address("10.0.0.0"), 8));
    scap = scap(Mode.ROUND_ROBIN, 0);
    open();
    outbound(TestPacket.outbound().sequence(1).payload(10));
    outbound(TestPacket.outbound().sequence(11).payload(10));
    assertThat(output.pipes).endsWith(0, 1);
  }

  @Test
  void whatAcknowledgesTheUnsentPassesAsItIs() {
    scap = scap(Mode.DEF, 0);
    open();
    outbound(TestPacket.outbound().sequence(1).payload(10));
    output.near.clear();

    inbound(TestPacket.inbound().sequence(1).acknowledgment(1 << 20));
    assertThat(output.near).hasSize(1);
    assertThat(scap.counts().unsentAcknowledged()).isEqualTo(1);
    assertThat(scap.counts().withoutRecord()).isZero();
  }

  @Test
  void aFullTableMeansOnePipe() {
    for (int port = 1; port <= 20; port++) {
      outbound(TestPacket.outbound().nearPort(port).flags(SYN).sequence(0));
      inbound(TestPacket.inbound().nearPort(port).flags(SYN | ACK).acknowledgment(1));
    }
    output.pipes.clear();
    outbound(TestPacket.outbound().nearPort(20).sequence(1).payload(10));
    outbound(TestPacket.outbound().nearPort(20).sequence(11).payload(10));

    assertThat(output.pipes).containsExactly(0, 0);
    assertThat(scap.counts().connections()).isEqualTo(10);
    assertThat(scap.counts().refusedConnections()).isEqualTo(10);
  }

  @Test
  void passesOnWhatIsNotTcpAsItIs() {
    byte[] datagram = TestPacket.outbound().payload(4).bytes();
    datagram[9] = 17;

    scap.outbound(datagram, datagram.length, now);
    scap.inbound(new PipeId(1), datagram, datagram.length, now);
    scap.outbound(new byte[] {1, 2}, 2, now);

    assertThat(output.pipes).containsExactly(0, 0);
    assertThat(output.near).hasSize(1);
    assertThat(output.near.getFirst().bytes()).isEqualTo(datagram);
    assertThat(scap.counts().notTcp()).isEqualTo(3);
  }

  @Test
  void clampsTheSegmentSizeInBothDirections() {
    outbound(TestPacket.outbound().flags(SYN).options(2, 4, 5, 0xb4));
    inbound(TestPacket.inbound().flags(SYN | ACK).acknowledgment(1).options(2, 4, 5, 0xb4));

    byte[] expected =
        TestPacket.inbound().flags(SYN | ACK).acknowledgment(1).options(2, 4, 5, 0x78).bytes();
    assertThat(output.near.getFirst().bytes()).isEqualTo(expected);
    assertThat(output.sent.getFirst().bytes()[43]).isEqualTo((byte) 0x78);
  }

  @Test
  void duplicatesByEveryPipe() {
    scap = scap(Mode.DUPLICATE, 0);
    open();
    output.pipes.clear();
    outbound(TestPacket.outbound().sequence(1).payload(10));

    assertThat(output.pipes).containsExactly(0, 1);
    assertThat(scap.counts().duplicated()).isEqualTo(1);
  }

  @Test
  void filtersWhatDefEstimates() {
    scap = scap(Mode.DEF, 0);
    open();
    for (int i = 0; i < 3; i++) {
      outbound(TestPacket.outbound().sequence(1 + 10 * i).payload(10));
    }
    output.near.clear();
    inbound(TestPacket.inbound().acknowledgment(11));
    inbound(TestPacket.inbound().acknowledgment(11));
    inbound(TestPacket.inbound().acknowledgment(11));

    assertThat(output.near).hasSize(2);
    assertThat(scap.counts().processors().filteredAcks()).isEqualTo(1);
    assertThat(scap.counts().dropped()).isEqualTo(1);
  }

  @Test
  void combinesAndReleasesByItsOwnTimer() {
    scap = scap(Mode.PAIR, 0);
    open();
    output.near.clear();

    inbound(TestPacket.inbound().sequence(101).payload(10));
    inbound(TestPacket.inbound().sequence(121).payload(10));
    assertThat(output.near).hasSize(1);
    assertThat(scap.nextNanos()).isEqualTo(60 * MILLI);
    now = 60 * MILLI;
    scap.tick(now);
    assertThat(output.near).hasSize(2);
    assertThat(scap.nextNanos()).isEqualTo(DataAckProcessor.NEVER);
    assertThat(scap.counts().processors().gapsByTimer()).isEqualTo(1);
  }

  @Test
  void whatIsHeldComesOutBeforeAReset() {
    scap = scap(Mode.PAIR, 0);
    open();
    output.near.clear();

    inbound(TestPacket.inbound().sequence(111).payload(10).acknowledgment(1));
    outbound(TestPacket.outbound().sequence(1).acknowledgment(101));
    inbound(TestPacket.inbound().sequence(101).flags(RST));

    assertThat(output.near).hasSize(2);
    assertThat(((TcpPacket) output.near.getLast()).rst()).isTrue();
    assertThat(scap.counts().connections()).isZero();
    assertThat(scap.counts().heldBytes()).isZero();
  }

  @Test
  void closingHandsOutWhatIsHeld() {
    scap = scap(Mode.PAIR, 0);
    open();
    inbound(TestPacket.inbound().sequence(111).payload(10).flags(FIN | ACK));
    output.near.clear();

    scap.close();
    assertThat(output.near).hasSize(1);
  }

  @Test
  void closingCountsNothingTwice() {
    scap = scap(Mode.PAIR, 0);
    open();
    for (int sequence = 111; sequence < 300; sequence += 20) {
      inbound(TestPacket.inbound().sequence(sequence).payload(10));
      now += 600_000_000L;
      scap.tick(now);
    }
    inbound(TestPacket.inbound().sequence(331).payload(10));
    long before = scap.counts().processors().gapsByTimer();
    assertThat(before).isPositive();

    scap.close();

    assertThat(scap.counts().processors().gapsByTimer()).isEqualTo(before);
  }

  /** TCP Fast Open, RFC 7413: the answer takes data that the SYN brought. */
  @Test
  void aConnectionThatBeginsWithDataIsSplit() {
    scap = scap(Mode.ROUND_ROBIN, 0);
    outbound(TestPacket.outbound().flags(SYN).sequence(0).payload(100));
    inbound(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(101));
    outbound(TestPacket.outbound().sequence(101).payload(10));

    assertThat(scap.counts().split()).isEqualTo(1);
  }

  private void open() {
    outbound(TestPacket.outbound().flags(SYN).sequence(0));
    inbound(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
  }

  private void outbound(TestPacket form) {
    byte[] bytes = form.bytes();
    scap.outbound(bytes, bytes.length, now);
  }

  private void inbound(TestPacket form) {
    inbound(0, form);
  }

  private void inbound(int pipe, TestPacket form) {
    byte[] bytes = form.bytes();
    assertThat(PacketParser.parse(bytes, bytes.length)).isInstanceOf(TcpPacket.class);
    scap.inbound(new PipeId(pipe), bytes, bytes.length, now);
  }

  private Scap scap(Mode mode, long afterOctets) {
    ScapSettings settings =
        new ScapSettings(
            mode,
            new AdmissionPolicy(afterOctets, Set.of(22), admitted),
            new PipeSelection.All(),
            signalling,
            10,
            1_400,
            1 << 20);
    pipes = TestPipes.of(40, 80);
    return new Scap(settings, pipes, output, 0x123456);
  }

  private static final class Recorder implements PacketOutput {
    private final List<Integer> pipes = new ArrayList<>();
    private final List<Packet> sent = new ArrayList<>();
    private final List<Packet> near = new ArrayList<>();

    @Override
    public void toPipe(PipeId pipe, Packet packet) {
      pipes.add(pipe.number());
      sent.add(packet);
    }

    @Override
    public void toNear(Packet packet) {
      near.add(packet);
    }

    @Override
    public void signal(byte[] message) {
      throw new AssertionError("nobody is asked");
    }
  }
}
