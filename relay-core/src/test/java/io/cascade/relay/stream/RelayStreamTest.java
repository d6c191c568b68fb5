package io.cascade.relay.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.carriage.transport.Connection.Delivery;
import io.cascade.carriage.transport.ConnectionError;
import io.cascade.carriage.transport.ConnectionFailure;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.cascade.carriage.transport.SocketTuning;
import io.cascade.relay.pump.Direction;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.pump.PumpMode;
import io.cascade.relay.pump.StartGate;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The life of a stream between two connections without a network. */
class RelayStreamTest {
  private final MemoryBudget budget = new MemoryBudget(16 << 20);
  private final FakeConnection inlet = new FakeConnection();
  private final FakeConnection onward = new FakeConnection();
  private final List<CloseReason> ends = new ArrayList<>();
  private final FakeOutlet outlet = new FakeOutlet();
  private RelayStream stream;

  @BeforeEach
  void open() {
    inlet.freezeTime();
    onward.freezeTime();
    ConnectionSettings plain = new ConnectionSettings(SocketTuning.defaults(), Duration.ZERO);
    stream =
        new RelayStream(
            new StreamStart(
                UUID.randomUUID(),
                new InetSocketAddress("127.0.0.1", 1),
                new InetSocketAddress("127.0.0.1", 2)),
            inlet,
            outlet,
            new StreamSettings(
                1 << 20,
                new StartGate.Open(),
                PumpMode.COPY,
                plain,
                plain,
                Duration.ofSeconds(5),
                Duration.ZERO,
                Duration.ZERO),
            budget.newLedger(),
            new StreamWatch(inlet.eventLoop()),
            Path.of("not-used"),
            (_, why) -> ends.add(why),
            0);
  }

  @AfterEach
  void nothingIsHeld() {
    stream.end(new CloseReason.Aborted("test"));
    inlet.takeWritten();
    onward.takeWritten();
    assertThat(budget.heldBytes()).isZero();
  }

  @Test
  void bothEndsMakeItCompleteAndItsConnectionsCloseInOrder() {
    begin(100);
    confirm();
    assertThat(onward.takeWritten()).isEqualTo(100);

    end(inlet);
    assertThat(onward.isOutputShutdown()).isTrue();
    assertThat(ends).isEmpty();
    end(onward);

    assertThat(ends).containsExactly(new CloseReason.Completed());
    assertThat(inlet.disarmed && onward.disarmed).isTrue();
    assertThat(inlet.isOpen() || onward.isOpen()).isFalse();
  }

  @Test
  void whatABrokenSideHadSentIsDeliveredBeforeTheOtherIsReset() {
    begin(100);
    confirm();
    onward.delivery = Delivery.PENDING;

    breaks(inlet);
    passSeconds(1);
    assertThat(onward.isOpen()).as("delivering").isTrue();
    assertThat(inlet.isOpen()).isFalse();

    onward.delivery = Delivery.DELIVERED;
    passSeconds(1);
    assertThat(onward.isOpen()).isFalse();
    assertThat(onward.disarmed).as("a reset and no end").isFalse();
    assertThat(ends).hasSize(1);
    assertThat(ends.getFirst().code()).isEqualTo("inlet-reset");
  }

  @Test
  void whatIsNeverDeliveredIsWaitedForNoLongerThanAFewSeconds() {
    begin(100);
    confirm();
    onward.delivery = Delivery.PENDING;
    breaks(inlet);

    passSeconds(DelayedReset.MOST.toSeconds() + 1);

    assertThat(onward.isOpen()).isFalse();
  }

  @Test
  void aSurvivorThatBreaksAsWellEndsItAtOnceWithTheFirstReason() {
    begin(100);
    confirm();
    onward.delivery = Delivery.PENDING;
    breaks(inlet);

    breaks(onward);

    assertThat(ends).hasSize(1);
    assertThat(ends.getFirst().code()).isEqualTo("inlet-reset");
  }

  @Test
  void whatAClientHadSentThatIsGoneGoesOnAndTheResetBehindIt() {
    begin(100);
    breaks(inlet);
    assertThat(outlet.waiting().waiting()).isTrue();

    confirm();

    assertThat(onward.takeWritten()).isEqualTo(100);
    passSeconds(1);
    assertThat(onward.isOpen()).isFalse();
    assertThat(ends.getFirst().code()).isEqualTo("inlet-reset");
  }

  @Test
  void aClientThatIsGoneAndHadSentNothingEndsItAtOnce() {
    begin(0);
    breaks(inlet);
    assertThat(ends).hasSize(1);
    assertThat(outlet.waiting().waiting()).isFalse();
  }

  @Test
  void anOfferedConnectionThatIsLostIsReplacedByAnother() {
    begin(100);
    FakeConnection first = new FakeConnection();
    outlet.waiting().offered(first, true);
    first.flush();
    assertThat(first.takeWritten()).isEqualTo(100);
    outlet.waiting().lost(first);

    confirm();

    assertThat(onward.takeWritten()).isEqualTo(100);
    assertThat(stream.bytesOut(Direction.FORWARD)).isEqualTo(100);
  }

  @Test
  void aConnectionThatIsConfirmedTooLateIsClosed() {
    begin(100);
    stream.end(new CloseReason.Aborted("test"));
    confirm();
    assertThat(onward.isOpen()).isFalse();
    assertThat(onward.takeWritten()).isZero();
  }

  private void begin(int bytes) {
    stream.begin(Unpooled.buffer(Math.max(bytes, 1)).writeZero(bytes));
  }

  private void confirm() {
    outlet.waiting().confirmed(onward, Unpooled.EMPTY_BUFFER);
  }

  private void end(FakeConnection connection) {
    connection.pipeline().fireUserEventTriggered(ChannelInputShutdownReadComplete.INSTANCE);
    runPendingTasks();
  }

  private void breaks(FakeConnection connection) {
    connection
        .pipeline()
        .fireExceptionCaught(new ConnectionFailure(ConnectionError.BROKEN, "reset by a test"));
    runPendingTasks();
  }

  private void runPendingTasks() {
    inlet.runPendingTasks();
    onward.runPendingTasks();
  }

  private void passSeconds(long seconds) {
    for (FakeConnection each : List.of(inlet, onward)) {
      each.advanceTimeBy(seconds, TimeUnit.SECONDS);
      each.runScheduledPendingTasks();
      each.runPendingTasks();
    }
  }

  private static final class FakeConnection extends EmbeddedConnection {
    private Delivery delivery = Delivery.DELIVERED;
    private boolean disarmed;

    @Override
    public Delivery delivery() {
      return delivery;
    }

    @Override
    public void disarm() {
      disarmed = true;
    }

    /** Tells its pipeline later, as event loops do. */
    @Override
    public ChannelFuture abort() {
      eventLoop().execute(() -> close());
      return closeFuture();
    }
  }

  private static final class FakeOutlet implements Outlet {
    private @Nullable ServedStream waiting;

    ServedStream waiting() {
      return Objects.requireNonNull(waiting);
    }

    @Override
    public void open(
        StreamStart start, EventLoop loop, StreamSettings settings, ServedStream stream) {
      waiting = stream;
    }

    @Override
    public String target() {
      return "a test";
    }

    @Override
    public void close() {}
  }
}
