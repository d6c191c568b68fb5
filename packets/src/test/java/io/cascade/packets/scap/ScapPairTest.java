package io.cascade.packets.scap;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.connections.Connection;
import io.cascade.packets.connections.PeerState;
import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.TestPipes;
import io.cascade.packets.signalling.SignallingMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Two ends and what is between them. The near end's hosts open connections to the far end's; what
 * boxes in between do to packets is given by the test.
 */
class ScapPairTest {
  private static final long MILLI = 1_000_000L;

  private final End near = new End();
  private final End far = new End();
  private final Deque<Runnable> messages = new ArrayDeque<>();
  private UnaryOperator<byte[]> box = packet -> packet;
  private boolean messagesPass = true;
  private long now;

  @ParameterizedTest
  @EnumSource(
      value = SignallingMethod.class,
      names = {"IN_BAND", "OUT_OF_BAND", "HYBRID"})
  void bothEndsFindEachOther(SignallingMethod method) {
    start(method, method);
    open();

    assertThat(near.peer()).isEqualTo(PeerState.PRESENT);
    assertThat(far.peer()).isEqualTo(PeerState.PRESENT);
    assertThat(near.scap().mode(near.connection())).isEqualTo(Mode.PAIR);
  }

  @Test
  void hostsNeverSeeTheOption() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    open();

    for (TcpPacket packet : List.of(far.toHost(0), near.toHost(0), far.toHost(1))) {
      assertThat(hasOption(packet)).isFalse();
      assertThat(packet.checksumsHold()).isTrue();
    }
    assertThat(far.toHost(0).options().sackPermitted()).as("what the host said").isTrue();
  }

  @Test
  void withoutAPeerTheNearEndWorksAlone() {
    start(SignallingMethod.IN_BAND, SignallingMethod.NONE);
    far.scap = null;
    open();

    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
    assertThat(near.scap().mode(near.connection())).isEqualTo(Mode.DEF_PLUS);
    assertThat(hasOption(far.toHost(0))).as("a host ignores it").isTrue();
  }

  @Test
  void whereTheOptionIsStrippedNeitherSplitsForTheOther() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    box = ScapPairTest::stripped;
    open();

    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
    assertThat(far.peer()).isEqualTo(PeerState.ABSENT);
  }

  @Test
  void whereTheOptionIsStrippedOnTheWayBackTheFarEndCombinesButDoesNotSplit() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    box = packet -> packet[15] == 2 ? stripped(packet) : packet; // From the far host.
    open();

    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
    assertThat(far.peer()).isEqualTo(PeerState.OFFERED);
    far.pipes.clear();
    fromFar(TestPacket.inbound().sequence(101).payload(10).acknowledgment(1));
    fromFar(TestPacket.inbound().sequence(111).payload(10).acknowledgment(1));
    assertThat(far.pipes).containsOnly(0);
  }

  @Test
  void hybridAsksByMessagesWhereTheOptionIsStripped() {
    start(SignallingMethod.HYBRID, SignallingMethod.HYBRID);
    box = ScapPairTest::stripped;
    open();

    assertThat(near.peer()).isEqualTo(PeerState.PRESENT);
    assertThat(far.peer()).isEqualTo(PeerState.PRESENT);
  }

  @Test
  void messagesThatNobodyAnswersAreGivenUp() {
    start(SignallingMethod.OUT_OF_BAND, SignallingMethod.OUT_OF_BAND);
    messagesPass = false;
    open();
    assertThat(near.peer()).isEqualTo(PeerState.ASKED);
    near.pipes.clear();
    fromNear(TestPacket.outbound().sequence(1).payload(10).acknowledgment(101));
    assertThat(near.pipes).as("not split while it is not known").containsExactly(0);

    for (int i = 0; i < 4; i++) {
      now += 500 * MILLI;
      near.scap().tick(now);
    }
    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
  }

  @Test
  void aSynThatIsDroppedWithTheOptionGoesWithoutTheThirdTime() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    List<Boolean> options = new ArrayList<>();
    box =
        packet -> {
          options.add(hasOption(packet(packet)));
          return packet;
        };
    for (int i = 0; i < 3; i++) {
      fromNear(syn(1_000));
    }
    fromNear(syn(1_001));

    assertThat(options).containsExactly(true, true, false, false);
  }

  @Test
  void anAddressThatWasAwayIsOfferedTheOptionAgainAfterTenMinutes() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    List<Boolean> options = new ArrayList<>();
    box =
        packet -> {
          options.add(hasOption(packet(packet)));
          return packet;
        };
    for (int i = 0; i < 3; i++) {
      fromNear(syn(1_000));
    }
    now += 599_999 * MILLI;
    fromNear(syn(1_001));
    now += MILLI;
    fromNear(syn(1_002));

    assertThat(options).containsExactly(true, true, false, false, true);
  }

  @Test
  void aHostThatEchoesTheOptionIsNoPeer() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    far.scap = null;
    fromNear(syn(1_000));
    byte[] sent = far.toHost(0).bytes();
    int at = 40; // The option, before the host's own ones.
    int[] echoed = new int[8];
    for (int i = 0; i < 8; i++) {
      echoed[i] = sent[at + i] & 0xff;
    }
    fromFar(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1).options(echoed));

    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
  }

  @Test
  void noRoomForTheOptionMeansNoPeer() {
    start(SignallingMethod.IN_BAND, SignallingMethod.IN_BAND);
    int[] full = new int[40];
    Arrays.fill(full, 1);
    fromNear(TestPacket.outbound().flags(SYN).sequence(0).options(full));
    fromFar(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1));

    assertThat(near.peer()).isEqualTo(PeerState.ABSENT);
    assertThat(far.toHost(0).bytes()).hasSize(80);
  }

  private void start(SignallingMethod nearMethod, SignallingMethod farMethod) {
    near.start(nearMethod, 1, far);
    far.start(farMethod, 2, near);
  }

  /** The three packets that open a connection, and what is said about it beside them. */
  private void open() {
    fromNear(syn(1_000));
    fromFar(TestPacket.inbound().flags(SYN | ACK).sequence(100).acknowledgment(1));
    fromNear(TestPacket.outbound().sequence(1).acknowledgment(101));
    while (!messages.isEmpty()) {
      messages.remove().run();
    }
  }

  private static TestPacket syn(int port) {
    return TestPacket.outbound().nearPort(port).flags(SYN).sequence(0).options(4, 2, 1, 1);
  }

  private void fromNear(TestPacket form) {
    byte[] bytes = form.bytes();
    near.scap().outbound(bytes, bytes.length, now);
  }

  private void fromFar(TestPacket form) {
    byte[] bytes = form.bytes();
    Scap there = far.scap;
    if (there == null) {
      far.cross(bytes, 0);
    } else {
      there.outbound(bytes, bytes.length, now);
    }
  }

  private static byte[] stripped(byte[] packet) {
    int at = 40;
    if (packet.length > at + 1 && (packet[at] & 0xff) == 253) {
      for (int i = at; i < at + 8; i++) {
        packet[i] = 1;
      }
    }
    return packet;
  }

  private static boolean hasOption(TcpPacket packet) {
    return packet.options().find(253, 8) >= 0;
  }

  private static TcpPacket packet(byte[] bytes) {
    return (TcpPacket) PacketParser.parse(bytes, bytes.length);
  }

  private final class End implements PacketOutput {
    private final List<Packet> host = new ArrayList<>();
    private final List<Integer> pipes = new ArrayList<>();
    private @Nullable Scap scap;
    private @Nullable End other;

    void start(SignallingMethod method, int token, End otherEnd) {
      other = otherEnd;
      scap =
          new Scap(
              new ScapSettings(
                  Mode.PAIR,
                  new AdmissionPolicy(0, Set.of(), List.of()),
                  new PipeSelection.All(),
                  method,
                  10,
                  1_400,
                  1 << 20),
              TestPipes.of(40, 80),
              this,
              token);
    }

    Scap scap() {
      return Objects.requireNonNull(scap);
    }

    private End other() {
      return Objects.requireNonNull(other);
    }

    Connection connection() {
      return scap().connections().getFirst();
    }

    PeerState peer() {
      return connection().signals().peer();
    }

    TcpPacket toHost(int number) {
      return (TcpPacket) host.get(number);
    }

    @Override
    public void toPipe(PipeId pipe, Packet packet) {
      pipes.add(pipe.number());
      cross(packet.bytes(), pipe.number());
    }

    void cross(byte[] packet, int pipe) {
      byte[] arrives = box.apply(packet.clone());
      Scap there = other().scap;
      if (there == null) {
        other().host.add(PacketParser.parse(arrives, arrives.length));
      } else {
        there.inbound(new PipeId(pipe), arrives, arrives.length, now);
      }
    }

    @Override
    public void toNear(Packet packet) {
      host.add(packet);
    }

    @Override
    public void signal(byte[] message) {
      if (messagesPass) {
        messages.add(() -> other().scap().signalled(message));
      }
    }
  }
}
