package io.cascade.carriage.coded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.cascade.testing.UdpPath.Faults;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.time.Duration;
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
import org.junit.jupiter.params.provider.ValueSource;

/** A session goes over TCP where UDP is policed and TCP is not, and only there. */
@Timeout(120)
@EnabledOnOs(OS.LINUX)
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class PolicedPathTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Faults POLICED = Faults.NONE.withDelay(10, 0).withRate(1e6, 15_000);
  private static final long BYTES = 16 << 20;

  @SuppressWarnings("NullAway.Init")
  private CodedEnds ends;

  @BeforeEach
  void open() throws Exception {
    ends = new CodedEnds(CarrierTimes.USUAL);
    ends.tcpWorks = false;
    ends.download(1);
    assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(1);
    ends.tcpWorks = true;
    ends.tcpDials.set(0);
    ends.again();
  }

  @AfterEach
  void close() throws Exception {
    ends.close();
  }

  private void send(SessionPathsTest.Direction direction, long bytes) throws Exception {
    if (direction == SessionPathsTest.Direction.UPLOAD) {
      ends.uploadAgain(bytes);
    } else {
      ends.download(bytes);
    }
  }

  @ParameterizedTest
  @EnumSource(SessionPathsTest.Direction.class)
  void isLeftForTcpThatCarriesClearlyMore(SessionPathsTest.Direction direction) throws Exception {
    ends.path.become(POLICED);
    send(direction, BYTES);
    await().atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.count().why()).contains("clearly more");
    assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(BYTES);
    assertThat(ends.acceptor.sessions()).isEqualTo(1);
    assertThat(ends.tcpDials).hasValue(1);
  }

  @ParameterizedTest
  @EnumSource(SessionPathsTest.Direction.class)
  void isKeptWhereTcpIsNoBetter(SessionPathsTest.Direction direction) throws Exception {
    try (SlowTcp slow = new SlowTcp(ends.server(), 500_000)) {
      ends.tcpAddress = slow.address();
      ends.path.become(POLICED);
      send(direction, 2 << 20);
      await().atMost(PATIENCE).until(() -> ends.tcpDials.get() > 0);
      assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(2 << 20);
      assertThat(ends.count().isTcp()).isFalse();
      assertThat(ends.tcpDials.get()).as("comparisons get rarer").isLessThan(4);
    }
  }

  /** What coded hops are for: TCP has a fraction of the path there. */
  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.1})
  void randomLossIsNoReasonToLeaveUdp(double loss) throws Exception {
    try (SlowTcp slow = new SlowTcp(ends.server(), 1_000_000)) {
      ends.tcpAddress = slow.address();
      ends.path.become(Faults.NONE.withDelay(10, 0).withRate(8e6, 60_000).withLoss(loss));
      ends.uploadAgain(10 << 20);
      assertThat(ends.ended.get(100, TimeUnit.SECONDS)).isEqualTo(10 << 20);
      assertThat(ends.count().isTcp()).isFalse();
      assertThat(ends.count().why()).isNull();
    }
  }

  /** Streams of one session after another, so that none begins where UDP is known to be bad. */
  @Test
  void isNotTriedByTheNextTransfer() throws Exception {
    ends.path.become(POLICED);
    ends.uploadAgain(BYTES);
    await().atMost(PATIENCE).until(() -> ends.count().isTcp());
    assertThat(ends.ended.get(60, TimeUnit.SECONDS)).isEqualTo(BYTES);
    ends.breakCarriers();
    var _ = ends.connect(new ChannelInboundHandlerAdapter());
    await().atMost(PATIENCE).until(() -> ends.tcpDials.get() > 1 && ends.count().isTcp());
    assertThat(ends.count().why()).contains("clearly more");
  }
}
