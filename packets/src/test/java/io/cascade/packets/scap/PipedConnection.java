package io.cascade.packets.scap;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.SYN;

import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TcpOptions.SackBlock;
import io.cascade.packets.header.TcpPacket;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
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

/**
 * A connection over two pipes, any of which may die, in virtual time: a sender that always has more
 * to send or a transfer of a given length, and a receiver with SACK.
 */
final class PipedConnection {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000 * MILLI;
  static final long ENDLESS = Long.MAX_VALUE;
  private static final long STEP_NANOS = MILLI;
  private static final int SEGMENT_BYTES = 1_400;
  private static final int PACKET_BYTES = SEGMENT_BYTES + 40;

  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::atNanos).thenComparingInt(Event::order));
  private final Paths paths;
  private final SackSender sender;
  private final Pipes nearPipes;
  private final Pipes farPipes;
  private final boolean[] dead = new boolean[2];
  private final long[][] freeNanos = new long[2][2];
  private final TreeSet<Integer> behindGap = new TreeSet<>();
  private final Scap near;
  private final @Nullable Scap far;
  private int received;
  private int order;
  private long now;

  private record Event(long atNanos, int order, Runnable what) {}

  /**
   * Two pipes of one rate.
   *
   * @param queuePackets that wait before each of them at most
   * @param window of the receiver, in segments
   */
  record Paths(
      long bitsPerSecond, int queuePackets, int firstMillis, int secondMillis, int window) {
    private double segmentsPerSecond() {
      return bitsPerSecond / 8.0 / PACKET_BYTES;
    }

    private int roundTripMillis(int pipe) {
      return pipe == 0 ? firstMillis : secondMillis;
    }

    private Pipes pipes() {
      return new Pipes(
          IntStream.of(firstMillis, secondMillis)
              .mapToObj(millis -> new PipeProperties(millis * MILLI, bitsPerSecond, 75_000, 0))
              .toList());
    }
  }

  /**
   * Begins a connection whose sender sends from the second second on.
   *
   * @param afterOctets that go unsplit
   * @param segments that are sent; {@link #ENDLESS} for always more, by a sender whose window does
   *     not grow while it repeats after a time-out
   */
  PipedConnection(Mode mode, Paths paths, long afterOctets, long segments) {
    this.paths = paths;
    this.sender = new SackSender(paths.window(), segments, segments != ENDLESS);
    this.nearPipes = paths.pipes();
    this.farPipes = paths.pipes();
    this.near = scap(mode, nearPipes, afterOctets, new Output(0));
    this.far = mode == Mode.PAIR ? scap(mode, farPipes, afterOctets, new Output(1)) : null;
    fromSender(TestPacket.outbound().flags(SYN).sequence(0).bytes());
    runUntil(SECOND);
    fromReceiver(TestPacket.inbound().flags(SYN | ACK).sequence(0).acknowledgment(1).bytes());
    runUntil(2 * SECOND);
  }

  /** A pipe dies; the ends are told after a while. */
  void kill(int pipe, long toldAfterNanos) {
    dead[pipe] = true;
    at(
        now + toldAfterNanos,
        () -> {
          nearPipes.become(new PipeId(pipe), false);
          farPipes.become(new PipeId(pipe), false);
        });
  }

  /** Segments that the receiver has without a gap. */
  int received() {
    return received;
  }

  int timeouts() {
    return sender.timeouts();
  }

  long now() {
    return now;
  }

  /** Time that one pipe takes for some segments. */
  double onePipeSeconds(long segments) {
    return segments / paths.segmentsPerSecond();
  }

  /** Runs until the receiver has so many segments, or a moment has come. */
  void runUntilReceived(int segments, long untilNanos) {
    while (received < segments && now < untilNanos) {
      runUntil(now + STEP_NANOS);
    }
  }

  private static Scap scap(Mode mode, Pipes pipes, long afterOctets, PacketOutput output) {
    ScapSettings settings =
        new ScapSettings(
            mode,
            new AdmissionPolicy(afterOctets, Set.of(), List.of()),
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

  void runUntil(long untilNanos) {
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
    long nanos = serialisationNanos(packet.length);
    long begins = Math.max(now, freeNanos[direction][by]);
    if (begins - now > paths.queuePackets() * serialisationNanos(PACKET_BYTES)) {
      return;
    }
    freeNanos[direction][by] = begins + nanos;
    at(
        begins + nanos + paths.roundTripMillis(by) * MILLI / 2,
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

  private long serialisationNanos(int bytes) {
    return (long) (bytes * 8e9 / paths.bitsPerSecond());
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
