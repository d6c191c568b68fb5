package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.cascade.testing.UdpPath.Faults;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One session goes on, byte for byte, whatever becomes of the path that it began on. */
@Timeout(90)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class SessionPathsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Faults USUAL = Faults.NONE.withDelay(5, 0).withRate(40e6, 200_000);
  private static final long BYTES = 4 << 20;
  private static final long SOME_BYTES = 512 << 10;

  @SuppressWarnings("NullAway.Init")
  private CodedEnds ends;

  /** Which end sends: the one that dialled, or the other. */
  enum Direction {
    UPLOAD,
    DOWNLOAD
  }

  @BeforeEach
  void open() throws Exception {
    ends = new CodedEnds(CodedEnds.QUICK);
    ends.path.become(USUAL);
  }

  @AfterEach
  void close() throws Exception {
    ends.close();
  }

  /** Begins over UDP, however long the first handshake takes on a busy machine. */
  private void begin(Direction direction) throws Exception {
    boolean works = ends.tcpWorks;
    ends.tcpWorks = false;
    send(direction);
    ends.awaitMore(SOME_BYTES);
    ends.tcpDials.set(0);
    ends.tcpWorks = works;
  }

  private void send(Direction direction) throws Exception {
    if (direction == Direction.UPLOAD) {
      ends.upload(BYTES);
    } else {
      ends.download(BYTES);
    }
  }

  private void assertAllArrives() throws Exception {
    assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(BYTES);
  }

  @ParameterizedTest
  @EnumSource
  void goesOnOverTcpWhereUdpIsBlockedInMidTransferAndBackAgain(Direction direction)
      throws Exception {
    begin(direction);
    ends.path.become(USUAL.withBlocked(true));
    ends.awaitMore(SOME_BYTES);
    await().atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.count().why()).contains("stopped answering");
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    assertAllArrives();
    ends.path.become(USUAL);
    await().atMost(PATIENCE).until(() -> !ends.count().isTcp());
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    assertThat(ends.tcpDials.get()).isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void beginsOverTcpWhereUdpIsBlockedAndGoesOnOverUdpOnceItAnswers(Direction direction)
      throws Exception {
    ends.path.become(USUAL.withBlocked(true));
    send(direction);
    ends.awaitMore(SOME_BYTES);
    assertThat(ends.count().isTcp()).isTrue();
    assertThat(ends.count().why()).contains("did not answer", "began over TCP");
    assertThat(ends.fallenBack()).isNull();
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    int session = ends.sessionId();
    ends.path.become(USUAL);
    await().atMost(PATIENCE).until(() -> !ends.count().isTcp());
    assertAllArrives();
    assertThat(ends.sessionId()).isEqualTo(session);

    ends.again();
    send(direction);
    assertAllArrives();
    assertThat(ends.count().isTcp()).isFalse();
    assertThat(ends.sessionId()).as("the same session").isEqualTo(session);
  }

  /** Its HELLO arrives and opens a session, whose WELCOME is lost. */
  @Test
  void keepsOneSessionWhereUdpPassesInOneDirectionAlone() throws Exception {
    ends.path.loseAnswers(Integer.MAX_VALUE);
    send(Direction.UPLOAD);
    assertAllArrives();
    await().atMost(PATIENCE).until(() -> ends.acceptor.sessions() == 1);
    assertThat(ends.count().isTcp()).isTrue();
  }

  @Test
  void isPlainTcpWhereTheOtherEndTakesNoSession() throws Exception {
    ends.path.become(USUAL.withBlocked(true));
    ends.takesTcpHellos = false;
    Channel plain = ends.connectByEither();
    assertThat(plain).isNotInstanceOf(CodedConnection.class);
    assertThat(ends.fallenBack()).contains("did not answer", "plain TCP");
    assertThat(ends.acceptor.sessions()).isZero();
    plain.close();
  }

  @Test
  void comesBackOverTcpWhereTheConnectionThatItBeganOverBreaks() throws Exception {
    ends.path.become(USUAL.withBlocked(true));
    send(Direction.UPLOAD);
    assertAllArrives();
    int session = ends.sessionId();
    ends.breakCarriers();
    ends.again();
    send(Direction.UPLOAD);
    assertAllArrives();
    assertThat(ends.sessionId()).isEqualTo(session);
  }

  /**
   * The hop port is that of another process now, which says nothing to datagrams of the session.
   */
  @Test
  void beginsAnewWhereTheOtherEndKnowsNothingOfTheSession() throws Exception {
    begin(Direction.UPLOAD);
    int session = ends.sessionId();
    ends.acceptor.forget();
    assertThatThrownBy(() -> ends.ended.get(60, TimeUnit.SECONDS)).isNotNull();
    await().atMost(PATIENCE).until(() -> ends.count().mode().equals("none"));

    ends.again();
    send(Direction.UPLOAD);
    assertAllArrives();
    assertThat(ends.sessionId()).isNotEqualTo(session);
  }

  @ParameterizedTest
  @EnumSource
  void staysOnUdpWhereTcpIsDialledAndUdpAnswersFirst(Direction direction) throws Exception {
    ends.tcpWorks = false;
    begin(direction);
    ends.path.become(USUAL.withBlocked(true));
    await().atMost(PATIENCE).until(() -> ends.tcpDials.get() > 0);
    ends.path.become(USUAL);
    assertAllArrives();
    assertThat(ends.count().isTcp()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void followsAPeerWhoseAddressHasChanged(Direction direction) throws Exception {
    begin(direction);
    ends.path.rebind();
    assertAllArrives();
    assertThat(ends.tcpDials).hasValue(0);
  }

  @Test
  void halvesItsDatagramsWhereThePathTakesShorterOnes() throws Exception {
    begin(Direction.UPLOAD);
    ends.path.become(USUAL.withLongest(1_232));
    ends.awaitMore(SOME_BYTES);
    await().atMost(PATIENCE).until(() -> ends.count().why() != null);
    assertThat(ends.count().why()).contains("halves");
    ends.path.become(USUAL);
    await().atMost(PATIENCE).until(() -> ends.count().why() == null);
    assertAllArrives();
    assertThat(ends.tcpDials).hasValue(0);
  }

  @Test
  void isSentHalvesWhereThePathTakesShorterDatagrams() throws Exception {
    begin(Direction.DOWNLOAD);
    ends.path.become(USUAL.withLongest(1_232));
    assertAllArrives();
    assertThat(ends.tcpDials).hasValue(0);
  }

  /** What is short gets through: acknowledgements, questions, and answers to them. */
  @ParameterizedTest
  @EnumSource
  void goesOnOverTcpWhereOnlyShortDatagramsPassUntilLongerOnesDo(Direction direction)
      throws Exception {
    begin(direction);
    ends.path.become(USUAL.withLongest(600));
    ends.awaitMore(SOME_BYTES);
    await().atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.count().why()).contains("delivers no data");
    assertAllArrives();
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    int dials = ends.tcpDials.get();
    await().during(Duration.ofSeconds(3)).atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.tcpDials).as("UDP is not gone back to").hasValue(dials);
    ends.path.become(USUAL);
    await().atMost(PATIENCE).until(() -> !ends.count().isTcp());
  }

  @ParameterizedTest
  @EnumSource
  void staysOverTcpWhereItBeganThereAndOnlyShortDatagramsPass(Direction direction)
      throws Exception {
    ends.path.become(USUAL.withLongest(600));
    send(direction);
    assertAllArrives();
    await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.tcpDials).hasValue(1);
  }

  /** A stream that is opened meanwhile would have the session go on. */
  @Test
  void takesNoStreamOfAHopThatIsNoMore() throws Exception {
    begin(Direction.UPLOAD);
    ends.key = null;
    ends.acceptor.hopsChanged(_ -> null);
    CompletableFuture<Throwable> refused = new CompletableFuture<>();
    Channel late =
        ends.connect(
            new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                refused.complete(cause);
              }
            });
    late.eventLoop().execute(() -> late.writeAndFlush(Unpooled.buffer(1).writeByte(1)));
    late.read();
    assertThat(refused.get(60, TimeUnit.SECONDS)).hasMessageContaining("reset by the peer");
    assertAllArrives();
    await().atMost(PATIENCE).until(() -> ends.acceptor.sessions() == 0);
  }

  @Test
  void endsItsSessionWhenTheHopIsNoMore() throws Exception {
    ends.upload(100_000);
    assertThat(ends.ended.get(20, TimeUnit.SECONDS)).isEqualTo(100_000);
    ends.key = null;
    ends.acceptor.hopsChanged(_ -> null);
    await().atMost(PATIENCE).until(() -> ends.acceptor.sessions() == 0);
  }
}
