package io.cascade.packets.scap;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.SYN;
import static org.assertj.core.api.Assertions.assertThat;

import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.TestPipes;
import io.cascade.packets.signalling.SignallingMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A connection over two pipes of 1.544 Mbit/s and 40 and 80 ms, one of which dies, in virtual time.
 */
class PipeDeathTest {
  private static final long MILLI = 1_000_000L;
  private static final long SECOND = 1_000 * MILLI;
  private static final long STEP_NANOS = MILLI;
  private static final int SEGMENT_BYTES = 1_400;
  private static final double PIPE_SEGMENTS_PER_SECOND = 1_544_000 / 8.0 / (SEGMENT_BYTES + 40);
  private static final int WINDOW = 60;
  private static final int[] ROUND_TRIP_MILLIS = {40, 80};

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingInt(Event::order));
  private final SackSender sender = new SackSender(WINDOW);
  private final Pipes nearPipes = TestPipes.of(ROUND_TRIP_MILLIS);
  private final Pipes farPipes = TestPipes.of(ROUND_TRIP_MILLIS);
  private final boolean[] dead = new boolean[2];
  private final long[][] freeNanos = new long[2][2];
  private final TreeSet<Integer> behindGap = new TreeSet<>();
  private int received;
  private int order;
  private long now;

  @SuppressWarnings("NullAway.Init")
  private Scap near;

  private @Nullable Scap far;

  private record Event(long atNanos, int order, Runnable what) {}

  /**
   * A pipe over a device tells at once that its carrier is gone, one of datagrams when 300 ms and a
   * round trip have passed without an answer; of a path that is cut behind a device nobody tells.
   */
  @ParameterizedTest
  @CsvSource({
    "DEF, 0, 0",
    "DEF, 1, 0",
    "DEF, 0, 380",
    "DEF, 1, 380",
    "DEF_PLUS, 0, 0",
    "DEF_PLUS, 1, 0",
    "DEF_PLUS, 0, 380",
    "DEF_PLUS, 1, 380",
    "DEF, 0, 60000",
    "DEF, 1, 60000",
    "DEF_PLUS, 0, 60000",
    "DEF_PLUS, 1, 60000",
    "PAIR, 0, 60000",
    "PAIR, 1, 60000",
    "PAIR, 0, 0",
    "PAIR, 1, 0",
    "PAIR, 0, 380",
    "PAIR, 1, 380",
  })
  void costsOneTimeOutAtMost(Mode mode, int pipe, int toldAfterMillis) {
    begin(mode);
    runUntil(10 * SECOND);
    assertThat(sender.timeouts()).isZero();

    dead[pipe] = true;
    at(
        now + toldAfterMillis * MILLI,
        () -> {
          nearPipes.become(new PipeId(pipe), false);
          farPipes.become(new PipeId(pipe), false);
        });
    runUntil(13 * SECOND);
    int settled = received;
    runUntil(23 * SECOND);

    assertThat(sender.timeouts()).isLessThanOrEqualTo(1);
    assertThat((received - settled) / 10.0 / PIPE_SEGMENTS_PER_SECOND).isGreaterThan(0.9);
  }

  private void begin(Mode mode) {
    near = scap(mode, nearPipes, new Output(0));
    far = mode == Mode.PAIR ? scap(mode, farPipes, new Output(1)) : null;
    fromSender(TestPacket.outbound().flags(SYN).sequence(0).bytes());
    runUntil(SECOND);
    fromReceiver(TestPacket.inbound().flags(SYN | ACK).sequence(0).acknowledgment(1).bytes());
    runUntil(2 * SECOND);
  }

  private static Scap scap(Mode mode, Pipes pipes, PacketOutput output) {
    ScapSettings settings =
        new ScapSettings(
            mode,
            new AdmissionPolicy(0, Set.of(), List.of()),
            new PipeSelection.All(),
            SignallingMethod.NONE,
            10,
            SEGMENT_BYTES,
            1 << 20);
    return new Scap(settings, pipes, output, 1);
  }

  private void at(long nanos, Runnable what) {
    events.add(new Event(nanos, order++, what));
  }

  private void runUntil(long untilNanos) {
    while (now < untilNanos) {
      now += STEP_NANOS;
      while (!events.isEmpty() && events.element().atNanos() <= now) {
        events.remove().what().run();
      }
      near.tick(now);
      if (far != null) {
        far.tick(now);
      }
      if (now > 2 * SECOND) {
        for (OptionalInt next = sender.poll(now); next.isPresent(); next = sender.poll(now)) {
          int sequence = 1 + next.getAsInt() * SEGMENT_BYTES;
          fromSender(TestPacket.outbound().sequence(sequence).payload(SEGMENT_BYTES).bytes());
        }
      }
    }
  }

  private void fromSender(byte[] packet) {
    near.outbound(packet, packet.length, now);
  }

  private void fromReceiver(byte[] packet) {
    if (far != null) {
      far.outbound(packet, packet.length, now);
    } else {
      carry(1, 0, packet); // Acknowledgments come back by the first pipe that is alive.
    }
  }

  /** Puts a packet on a pipe; direction 0 leads to the receiver. */
  private void carry(int direction, int pipe, byte[] packet) {
    int by = far == null && direction == 1 && dead[pipe] ? 1 - pipe : pipe;
    long nanos = (long) (packet.length * 8e9 / 1_544_000);
    long begins = Math.max(now, freeNanos[direction][by]);
    if (begins - now > 50 * (long) (1_440 * 8e9 / 1_544_000)) {
      return;
    }
    freeNanos[direction][by] = begins + nanos;
    at(
        begins + nanos + ROUND_TRIP_MILLIS[by] * MILLI / 2,
        () -> {
          if (dead[by]) {
            return;
          }
          if (direction == 1) {
            near.inbound(new PipeId(by), packet, packet.length, now);
          } else if (far != null) {
            far.inbound(new PipeId(by), packet, packet.length, now);
          } else {
            arrived(packet);
          }
        });
  }

  private final class Output implements PacketOutput {
    private final int direction;

    Output(int direction) {
      this.direction = direction;
    }

    @Override
    public void toPipe(PipeId pipe, Packet packet) {
      carry(direction, pipe.number(), packet.bytes());
    }

    @Override
    public void toNear(Packet packet) {
      if (direction == 0) {
        acknowledged((TcpPacket) packet);
      } else {
        arrived(packet.bytes());
      }
    }

    @Override
    public void signal(byte[] message) {
      throw new AssertionError("nobody is asked");
    }
  }

  /** The sender gets an acknowledgment. */
  private void acknowledged(TcpPacket packet) {
    if (packet.syn()) {
      return;
    }
    List<SackBlock> blocks =
        packet.options().sackBlocks().stream()
            .map(block -> new SackBlock(segment(block.start()), segment(block.end())))
            .toList();
    sender.acknowledged(segment(packet.acknowledgment()), blocks, now);
  }

  private static int segment(int sequence) {
    return (sequence - 1) / SEGMENT_BYTES;
  }

  /** The receiver gets a packet and acknowledges it at once, as TCP does out of order. */
  private void arrived(byte[] bytes) {
    TcpPacket packet = (TcpPacket) PacketParser.parse(bytes, bytes.length);
    if (packet.syn()) {
      return;
    }
    int number = segment(packet.sequence());
    if (number >= received) {
      behindGap.add(number);
    }
    while (behindGap.remove(received)) {
      received++;
    }
    TestPacket answer =
        TestPacket.inbound().sequence(1).acknowledgment(1 + received * SEGMENT_BYTES);
    int[] edges = edges(number);
    if (edges.length > 0) {
      answer.sack(edges);
    }
    fromReceiver(answer.bytes());
  }

  /** Three blocks at most, the one with the newest segment first (RFC 2018). */
  private int[] edges(int newest) {
    List<int[]> runs = new ArrayList<>();
    for (int number : behindGap) {
      if (runs.isEmpty() || runs.getLast()[1] != number) {
        runs.add(new int[] {number, number});
      }
      runs.getLast()[1] = number + 1;
    }
    return runs.reversed().stream()
        .sorted(Comparator.comparing((int[] run) -> !(run[0] <= newest && newest < run[1])))
        .limit(3)
        .flatMapToInt(run -> IntStream.of(1 + run[0] * SEGMENT_BYTES, 1 + run[1] * SEGMENT_BYTES))
        .toArray();
  }
}
