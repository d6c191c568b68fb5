package io.cascade.relay.junction;

import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.carriage.transport.EmbeddedConnection;
import io.cascade.relay.pump.MemoryBudget;
import io.cascade.relay.stream.StreamStart;
import io.cascade.segments.Frame;
import io.cascade.segments.FrameCodec;
import io.cascade.segments.Reason;
import io.cascade.segments.Scheduler;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What comes as a pipe and is none, or is none of a stream that is here. */
class JunctionInletTest {
  private static final InetSocketAddress SOMEWHERE = new InetSocketAddress("127.0.0.1", 1);

  private final SegmentCounters counters = new SegmentCounters();
  private final MemoryBudget budget = new MemoryBudget(64 << 20);
  private final JunctionInlet inlet =
      new JunctionInlet(
          new JunctionResources(_ -> budget.newLedger(), System::nanoTime, counters),
          new PipeAccounts());

  @Test
  void aPipeOfAnOlderVersionIsRefusedByName() throws Exception {
    assertThat(answer(new Frame.PipeStart(Frame.VERSION - 1, false, false, 0), true))
        .isEqualTo(Reason.VERSION);
  }

  @Test
  void aPipeOfAStreamThatIsNotHereIsRefusedByName() throws Exception {
    assertThat(answer(new Frame.PipeStart(Frame.VERSION, true, false, 1), true))
        .isEqualTo(Reason.UNKNOWN_STREAM);
  }

  @Test
  void aPipeThatWouldBeginAStreamWhereNoneMayBeginIsRefusedByName() throws Exception {
    assertThat(answer(new Frame.PipeStart(Frame.VERSION, false, false, 0), false))
        .isEqualTo(Reason.UNKNOWN_STREAM);
  }

  @Test
  void anotherFrameThanTheStartOfAPipeIsRefusedByName() throws Exception {
    assertThat(answer(new Frame.Probe(1), true)).isEqualTo(Reason.UNEXPECTED_FRAME);
  }

  @Test
  void aStartOfAnotherProtocolIsRefusedByName() throws Exception {
    assertThat(answer(Unpooled.copiedBuffer(new byte[] {11, 0, 0, 16, 'H', 'T', 'T', 'P'}), true))
        .isNull(); // not complete yet
    byte[] other = new byte[20];
    other[0] = 11;
    other[3] = 16;
    assertThat(answer(Unpooled.copiedBuffer(other), true)).isEqualTo(Reason.MALFORMED);
  }

  private Reason answer(Frame frame, boolean mayBegin) throws Exception {
    return answer(Unpooled.wrappedBuffer(FrameCodec.head(frame)), mayBegin);
  }

  /** Why the pipe was refused; null where nothing was said. */
  @SuppressWarnings("NullAway")
  private Reason answer(ByteBuf early, boolean mayBegin) throws Exception {
    EmbeddedConnection connection = new EmbeddedConnection();
    inlet.arrived(
        connection,
        new HopAddress(1, 0, 0),
        new StreamStart(new UUID(1, 2), SOMEWHERE, SOMEWHERE),
        early,
        false,
        JunctionSettings.holding(1 << 20, JunctionSettings.PATIENCE, Scheduler.EARLIEST),
        mayBegin,
        (_, _) -> {
          throw new AssertionError("a stream began");
        });
    connection.runPendingTasks();
    assertThat(inlet.running()).isZero();
    ByteBuf said = connection.readOutbound();
    if (said == null) {
      return null;
    }
    ByteBuffer octets = ByteBuffer.allocate(said.readableBytes());
    said.readBytes(octets);
    said.release();
    Reason reason = ((Frame.Refusal) FrameCodec.parse(octets.flip())).reason();
    assertThat(counters.refusedPipes())
        .isEqualTo(Map.of(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), 1L));
    return reason;
  }
}
