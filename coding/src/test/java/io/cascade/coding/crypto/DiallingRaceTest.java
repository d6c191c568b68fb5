package io.cascade.coding.crypto;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Handshakes by two ways, in virtual time, with the end that answers. */
class DiallingRaceTest {
  private static final long MILLI = 1_000_000;
  private static final int LENGTH = 1_472;
  private static final int DIALLERS_ID = 7;
  private static final byte[] NAME = "hop".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] KEY = new byte[32];
  private static final byte[] UDP_ADDRESS = {1, 0};
  private static final byte[] TCP_ADDRESS = {2, 0, 0};

  @Test
  void udpAnswersAndTcpIsNotTried() {
    Network network = new Network(50 * MILLI);
    assertThat(network.run()).isEqualTo(RaceState.OVER_UDP);
    assertThat(network.nowNanos).isEqualTo(50 * MILLI);
    assertThat(network.connections).isZero();
    assertThat(network.opened).hasSize(1);
    network.assertKeysAgree(0);
  }

  @Test
  void aLostWelcomeCostsFortyMillisecondsAndNoConnection() {
    Network network = new Network(50 * MILLI);
    network.welcomesToLose = 1;
    assertThat(network.run()).isEqualTo(RaceState.OVER_UDP);
    assertThat(network.nowNanos).isEqualTo(90 * MILLI);
    assertThat(network.connections).isZero();
  }

  @Test
  void fourLostWelcomesDoNotMeanTcp() {
    Network network = new Network(10 * MILLI);
    network.welcomesToLose = 4;
    assertThat(network.run()).isEqualTo(RaceState.OVER_UDP);
    assertThat(network.connections).isZero();
  }

  @Test
  void udpThatIsBlockedMeansASessionOverTcp() {
    Network network = new Network(100 * MILLI);
    network.udpReaches = false;
    assertThat(network.run()).isEqualTo(RaceState.OVER_TCP);
    assertThat(network.nowNanos)
        .as("the head start, the connection and the handshake")
        .isEqualTo(700 * MILLI);
    assertThat(network.opened).hasSize(1);
    network.assertKeysAgree(0);
  }

  @Test
  void sessionsOfBothWaysAreOneDiallers() {
    Network network = new Network(200 * MILLI);
    network.welcomesToLose = Integer.MAX_VALUE;
    assertThat(network.run()).isEqualTo(RaceState.OVER_TCP);
    assertThat(network.opened)
        .as("of full length, of the shortest and over TCP")
        .hasSize(3)
        .allSatisfy(one ->
            assertThat(one.diallersKey()).isEqualTo(network.opened.getFirst().diallersKey()));
    assertThat(network.opened.stream().map(one -> one.agreement().remoteConnectionId()))
        .doesNotHaveDuplicates();
    network.assertKeysAgree(2);
  }

  @Test
  void udpThatAnswersLateWinsWhileTcpIsDialled() {
    Network network = new Network(600 * MILLI);
    assertThat(network.run()).isEqualTo(RaceState.OVER_UDP);
    assertThat(network.nowNanos).isEqualTo(600 * MILLI);
    assertThat(network.connections).isEqualTo(1);
  }

  @Test
  void aRoundTripThatIsTooLongForUdpIsTcps() {
    Network network = new Network(800 * MILLI);
    assertThat(network.run()).isEqualTo(RaceState.OVER_TCP);
    assertThat(network.nowNanos).isEqualTo(2_100 * MILLI);
  }

  @Test
  void whoTakesNoSessionsOverTcpIsAskedOverUdpUntilItsTimeIsOver() {
    Network network = new Network(20 * MILLI);
    network.udpReaches = false;
    network.tcpIsClosed = true;
    assertThat(network.run()).isEqualTo(RaceState.NOBODY);
    assertThat(network.nowNanos).isEqualTo(DiallingRace.UDP_NANOS);
    assertThat(network.race.agreement()).isNull();
  }

  @Test
  void aConnectionWithoutAnAnswerIsGivenUp() {
    Network network = new Network(20 * MILLI);
    network.udpReaches = false;
    network.tcpIsSilent = true;
    assertThat(network.run()).isEqualTo(RaceState.NOBODY);
    assertThat(network.nowNanos).isEqualTo(DiallingRace.HEAD_START_NANOS + DiallingRace.TCP_NANOS);
  }

  @Test
  void aCookieIsAskedForOverTcpAsWell() {
    Network network = new Network(100 * MILLI);
    network.udpReaches = false;
    network.fill(Accepting.MOST_WITHOUT_COOKIE);
    assertThat(network.run()).isEqualTo(RaceState.OVER_TCP);
    assertThat(network.nowNanos).as("one round trip more").isEqualTo(800 * MILLI);
    assertThat(network.cookies).isEqualTo(1);
    network.assertKeysAgree(0);
  }

  @Test
  void aRecordedHelloThatIsSentFromElsewhereOpensNothingWhereCookiesAreAskedFor() {
    Network network = new Network(100 * MILLI);
    network.udpReaches = false;
    network.fill(Accepting.MOST_WITHOUT_COOKIE);
    assertThat(network.run()).isEqualTo(RaceState.OVER_TCP);
    int before = network.accepting.halfOpen();
    for (byte[] hello : network.sentOverTcp) {
      assertThat(
              network.accepting.onDatagram(
                  ByteBuffer.wrap(hello), new byte[] {9, 0, 0}, LENGTH, network.nowNanos))
          .isInstanceOf(Accepting.HelloOutcome.Reply.class);
    }
    assertThat(network.accepting.halfOpen()).isEqualTo(before);
  }

  @Test
  void whereNoneIsTakenNobodyHasAnswered() {
    Network network = new Network(100 * MILLI);
    network.fill(Accepting.MOST_HALF_OPEN);
    assertThat(network.run()).isEqualTo(RaceState.NOBODY);
    assertThat(network.accepting.halfOpen()).isEqualTo(Accepting.MOST_HALF_OPEN);
  }

  @Test
  void whereUdpsTimeEndsBeforeItsHeadStartTcpIsTriedAtOnce() {
    DiallingRace race = new DiallingRace(KEY, NAME, DIALLERS_ID, LENGTH, MILLI, 0);
    assertThat(race.poll(0)).isNotNull();
    assertThat(race.poll(MILLI)).isNull();
    assertThat(race.state()).isEqualTo(RaceState.TCP_ALONE);
    assertThat(race.pollConnection(2 * MILLI)).isNotNull();
    assertThat(race.pollConnection(3 * MILLI)).as("nothing is repeated over TCP").isNull();
  }

  @Test
  void whatIsCancelledTakesNoAnswer() {
    Network network = new Network(50 * MILLI);
    byte[] hello = requireNonNull(network.race.poll(0));
    Accepting.HelloOutcome.Opened opened =
        (Accepting.HelloOutcome.Opened)
            network.accepting.onDatagram(ByteBuffer.wrap(hello), UDP_ADDRESS, LENGTH, 0);
    network.race.cancel(MILLI);
    network.race.onDatagram(ByteBuffer.wrap(opened.welcome()), 2 * MILLI);
    assertThat(network.race.state()).isEqualTo(RaceState.NOBODY);
    assertThat(network.race.poll(3 * MILLI)).isNull();
    assertThat(network.race.nextNanos()).isEqualTo(Long.MAX_VALUE);
  }

  /** Both ways between a dialler and an acceptor, each with the same round trip. */
  private static final class Network {
    private final long roundTripNanos;
    private final Accepting accepting =
        new Accepting(
            name -> Arrays.equals(name, NAME) ? KEY : null,
            new SecureRandom(),
            Accepting.MOST_WITHOUT_COOKIE);
    private final DiallingRace race = new DiallingRace(KEY, NAME, DIALLERS_ID, LENGTH, 0);
    private final List<Accepting.HelloOutcome.Opened> opened = new ArrayList<>();
    private final List<byte[]> sentOverTcp = new ArrayList<>();
    private final PriorityQueue<Due> due =
        new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private boolean udpReaches = true;
    private boolean tcpIsClosed;
    private boolean tcpIsSilent;
    private int welcomesToLose;
    private int connections;
    private int cookies;
    private boolean isConnected;
    private long nowNanos;

    private record Due(long nanos, Runnable event) {}

    Network(long roundTripNanos) {
      this.roundTripNanos = roundTripNanos;
    }

    /** Has others open sessions, with cookies where they are asked for. */
    void fill(int sessions) {
      for (int i = 0; i < sessions; i++) {
        byte[] address = {3, (byte) (i >> 8), (byte) i, 0};
        Dialling other =
            new Dialling(
                KEY, NAME, 1_000 + i, LENGTH, Dialling.Repetition.SHORTER_LATER, 0, 1_000 * MILLI);
        for (int tries = 0; tries < 2; tries++) {
          byte[] hello = other.poll(0);
          if (hello != null
              && accepting.onDatagram(ByteBuffer.wrap(hello), address, LENGTH, 0)
                  instanceof Accepting.HelloOutcome.Reply reply) {
            other.onDatagram(ByteBuffer.wrap(reply.datagram()), 0);
          }
        }
      }
      assertThat(accepting.halfOpen()).isEqualTo(sessions);
    }

    RaceState run() {
      while (!race.state().isOver()) {
        turn();
        if (race.state().isOver()) {
          break;
        }
        Due next = due.peek();
        nowNanos = Math.max(nowNanos, race.nextNanos());
        if (next != null && next.nanos() <= race.nextNanos()) {
          nowNanos = next.nanos();
          requireNonNull(due.poll()).event().run();
        }
      }
      return race.state();
    }

    private void turn() {
      byte[] hello = race.poll(nowNanos);
      if (hello != null && udpReaches) {
        answer(hello, UDP_ADDRESS, this::welcomeOverUdp);
      }
      if (race.state().triesTcp() && connections == 0) {
        connections++;
        later(() -> {
          if (tcpIsClosed) {
            race.connectionFailed(nowNanos);
          } else {
            isConnected = true;
          }
        });
      }
      byte[] overTcp = isConnected ? race.pollConnection(nowNanos) : null;
      if (overTcp != null && !tcpIsSilent) {
        sentOverTcp.add(overTcp);
        answer(
            overTcp,
            TCP_ADDRESS,
            reply -> race.onConnectionDatagram(ByteBuffer.wrap(reply), nowNanos));
      }
    }

    /** What it says travels for a whole round trip: there is no state to be told halfway. */
    private void later(Runnable event) {
      due.add(new Due(nowNanos + roundTripNanos, event));
    }

    private void welcomeOverUdp(byte[] reply) {
      if (welcomesToLose > 0) {
        welcomesToLose--;
      } else {
        race.onDatagram(ByteBuffer.wrap(reply), nowNanos);
      }
    }

    private void answer(byte[] hello, byte[] address, Consumer<byte[]> back) {
      later(() -> {
        byte[] reply =
            replyTo(accepting.onDatagram(ByteBuffer.wrap(hello), address, LENGTH, nowNanos));
        if (reply != null) {
          back.accept(reply);
        }
      });
    }

    private byte @Nullable [] replyTo(Accepting.HelloOutcome answer) {
      return switch (answer) {
        case Accepting.HelloOutcome.Nothing _ -> null;
        case Accepting.HelloOutcome.Reply reply -> {
          cookies += reply.datagram().length < Dialling.LEAST_DATAGRAM_BYTES ? 1 : 0;
          yield reply.datagram();
        }
        case Accepting.HelloOutcome.Opened one -> {
          opened.add(one);
          yield one.welcome();
        }
      };
    }

    void assertKeysAgree(int index) {
      Agreement near = requireNonNull(race.agreement());
      Agreement far = opened.get(index).agreement();
      assertThat(near.remoteConnectionId()).isEqualTo(far.localConnectionId());
      PacketProtectionTest.assertOpens(near.protection(), far.protection());
      PacketProtectionTest.assertOpens(far.protection(), near.protection());
    }
  }
}
