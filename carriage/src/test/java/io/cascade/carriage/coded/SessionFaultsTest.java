package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.testing.UdpPath.Faults;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes arrive right over paths that nobody would wish for, over real sockets. */
@Timeout(90)
@EnabledOnOs(OS.LINUX)
class SessionFaultsTest {
  private static final int HELLO_BYTES = 1_472;

  @SuppressWarnings("NullAway.Init")
  private CodedEnds ends;

  @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
  enum Path {
    SIXTY_PERCENT_LOSS(Faults.NONE.withDelay(5, 0).withLoss(0.6), 100_000),
    JITTER_OF_TEN_MILLISECONDS(Faults.NONE.withDelay(5, 10), 1_000_000),
    EVERY_SECOND_DATAGRAM_TWICE(Faults.NONE.withDelay(5, 2).withDoubled(0.5), 1_000_000),
    POLICER(Faults.NONE.withDelay(5, 0).withRate(10e6, 20_000), 1_000_000),
    BUFFER_OF_TWO_PACKETS(Faults.NONE.withDelay(5, 0).withRate(10e6, 3_000), 500_000);

    private final Faults faults;
    private final long bytes;

    Path(Faults faults, long bytes) {
      this.faults = faults;
      this.bytes = bytes;
    }
  }

  @BeforeEach
  void open() throws Exception {
    ends = new CodedEnds(CodedEnds.QUICK);
  }

  @AfterEach
  void close() throws Exception {
    ends.close();
  }

  @ParameterizedTest
  @EnumSource
  void arriveByteForByte(Path path) throws Exception {
    var _ = ends.connect(new ChannelInboundHandlerAdapter());
    ends.path.become(path.faults);
    ends.upload(path.bytes);
    assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(path.bytes);
  }

  @Test
  void aLostWelcomeIsSentAgain() throws Exception {
    ends.path.loseAnswers(2);
    ends.upload(100_000);
    assertThat(ends.ended.get(20, TimeUnit.SECONDS)).isEqualTo(100_000);
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
  }

  @Test
  void helloesOfThoseWithoutAKeyAreNotAnsweredAndLeaveNothing() throws Exception {
    SplittableRandom random = new SplittableRandom(4);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    for (int address = 0; address < 20; address++) {
      try (DatagramChannel flood = DatagramChannel.open().bind(any)) {
        flood.configureBlocking(false);
        for (int i = 0; i < 200; i++) {
          byte[] hello = new byte[HELLO_BYTES];
          random.nextBytes(hello);
          ByteBuffer.wrap(hello).putShort((short) 0x1101).putInt(i).putShort((short) HELLO_BYTES);
          hello[40] = 1;
          hello[42] = 0;
          flood.send(ByteBuffer.wrap(hello), ends.server());
        }
        assertThat(flood.receive(ByteBuffer.allocate(2_000))).isNull();
      }
    }
    assertThat(ends.acceptor.sessions()).isZero();
    ends.upload(10_000);
    assertThat(ends.ended.get(20, TimeUnit.SECONDS)).isEqualTo(10_000);
  }

  /** What is not answered over TCP is closed, so that a dialler need not wait. */
  @Test
  void aConnectionWithTheHelloOfSomebodyWithoutAKeyIsClosedAndLeavesNothing() throws Exception {
    byte[] hello = new byte[Short.BYTES + HELLO_BYTES];
    ByteBuffer.wrap(hello)
        .putShort((short) HELLO_BYTES)
        .putShort((short) 0x1101)
        .putInt(7)
        .putShort((short) HELLO_BYTES);
    hello[Short.BYTES + 40] = 1;
    for (int i = 0; i < 20; i++) {
      try (java.net.Socket stranger = new java.net.Socket()) {
        stranger.connect(ends.server());
        stranger.getOutputStream().write(hello);
        stranger.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
        assertThat(stranger.getInputStream().read()).isEqualTo(-1);
      }
    }
    assertThat(ends.acceptor.sessions()).isZero();
    ends.upload(10_000);
    assertThat(ends.ended.get(20, TimeUnit.SECONDS)).isEqualTo(10_000);
  }

  /** A connection that names a session and lacks its keys is closed, and moves nothing. */
  @Test
  void nobodyElseTakesASessionOver() throws Exception {
    ends.upload(100_000);
    assertThat(ends.ended.get(20, TimeUnit.SECONDS)).isEqualTo(100_000);
    try (java.net.Socket thief = new java.net.Socket()) {
      thief.connect(ends.server());
      byte[] record = new byte[102];
      ByteBuffer.wrap(record).putShort((short) 100).put((byte) 0x4d).putInt(ends.sessionId());
      thief.getOutputStream().write(record);
      thief.setSoTimeout((int) Duration.ofSeconds(20).toMillis());
      assertThat(thief.getInputStream().read()).isEqualTo(-1);
    }
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    await().during(Duration.ofMillis(300)).until(() -> !ends.count().isTcp());
  }
}
