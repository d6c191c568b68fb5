package io.cascade.segments;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Two junctions and the pipes between them in virtual time. A pipe delivers in order, at a rate and
 * with a delay; it can die, with all that it carries, stand still and go on.
 */
final class SimulatedSegment {
  static final long MILLI = 1_000_000;

  private final PriorityQueue<Happening> queue = new PriorityQueue<>();
  private long order;
  private long now = 1;

  final Side left;
  final Side right;
  final List<Pipe> pipes = new ArrayList<>();
  private int numbers;

  private record Happening(long at, long order, Runnable what) implements Comparable<Happening> {
    @Override
    public int compareTo(Happening other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  SimulatedSegment(SegmentStream.Settings settings, long seed) {
    left = new Side("left", settings, new SplittableRandom(seed));
    right = new Side("right", settings, new SplittableRandom(~seed));
  }

  long now() {
    return now;
  }

  void at(long nanos, Runnable what) {
    queue.add(new Happening(Math.max(nanos, now), order++, what));
  }

  void after(long nanos, Runnable what) {
    at(now + nanos, what);
  }

  /** Runs until nothing happens any more or the time is over. */
  void run(long untilNanos) {
    while (!queue.isEmpty() && queue.peek().at <= untilNanos) {
      Happening next = queue.poll();
      now = next.at;
      next.what.run();
      left.step();
      right.step();
    }
    now = Math.max(now, untilNanos);
  }

  Pipe join(double octetsPerNano, long delayNanos) {
    Pipe pipe = new Pipe(numbers++, octetsPerNano, delayNanos);
    pipes.add(pipe);
    left.stream.join(pipe.number, 2 * delayNanos, now);
    right.stream.join(pipe.number, 2 * delayNanos, now);
    after(0, () -> {});
    return pipe;
  }

  /** The octet of a side's output at an offset. */
  static byte octet(long seed, long offset) {
    long mixed = (offset + seed) * 0x9E3779B97F4A7C15L;
    return (byte) (mixed >>> 56);
  }

  /** A junction with an application at its side. */
  final class Side {
    final String name;
    final SegmentStream stream;
    final SplittableRandom random;
    private long alarm = Long.MAX_VALUE;

    /** What the application writes in all, and has written. */
    long toWrite;

    long written;
    boolean endsOutput = true;
    private boolean outputEnded;

    /** What the application has read; -1 in rate is as it comes. */
    long read;

    boolean reads = true;

    /** Octets that the application reads in a second. */
    long readsAtMost = Long.MAX_VALUE;

    boolean correct = true;
    boolean sawCleanEnd;
    boolean sawReset;
    long seed;

    /** Whether what is written is of no interest, so that a test of rates is quick. */
    boolean plain;

    Side(String name, SegmentStream.Settings settings, SplittableRandom random) {
      this.name = name;
      this.stream = new SegmentStream(settings, HeapChunks.MEMORY, now);
      this.random = random;
      this.seed = name.hashCode();
    }

    private Side peer() {
      return this == left ? right : left;
    }

    void step() {
      write();
      read();
      long due = stream.onTime(now);
      for (SegmentStream.Dropped dropped : stream.dropped()) {
        pipes.get(dropped.pipe()).die();
      }
      if (due != Long.MAX_VALUE && (alarm <= now || due < alarm)) {
        alarm = Math.max(due, now + 1);
        long set = alarm;
        at(
            alarm,
            () -> {
              if (alarm == set) {
                alarm = Long.MAX_VALUE;
              }
            });
      }
      for (Pipe pipe : List.copyOf(pipes)) {
        pipe.feed(this);
      }
      if (stream.state() == StreamState.RESET) {
        sawReset = true;
      }
    }

    private void write() {
      while (written < toWrite && stream.room() > 0) {
        int length = (int) Math.min(Math.min(8_192, toWrite - written), stream.room());
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length && !plain; i++) {
          bytes.put(i, octet(seed, written + i));
        }
        written += stream.offer(bytes);
      }
      if (written == toWrite && endsOutput && !outputEnded && !stream.over()) {
        outputEnded = true;
        stream.end(now);
      }
    }

    private void read() {
      if (!reads) {
        return;
      }
      for (ByteBuffer next = stream.readable(); next != null; next = stream.readable()) {
        int length = next.remaining();
        if (read + length > readsAtMost / 1e9 * now) {
          return;
        }
        for (int i = 0; i < length && !peer().plain; i++) {
          correct &= next.get(i) == octet(peer().seed, read + i);
        }
        read += length;
        stream.delivered(length, now);
      }
      Reason end = stream.endReached();
      if (end == Reason.FINISHED) {
        sawCleanEnd = true;
      } else if (end != null && !stream.over()) {
        stream.reset(end, "");
      }
    }
  }

  /** One direction of a pipe. */
  private static final class Way {
    private final Deque<Frame> buffered = new ArrayDeque<>();
    private long free;

    /** When the wire has carried what it was given. */
    private long wireFree;

    private long untilStall;
    private boolean ended;
    private boolean endSeen;
  }

  /** A connection through relays. */
  final class Pipe {
    final int number;
    double octetsPerNano;
    final long delayNanos;
    private final Way[] ways = {new Way(), new Way()};
    private final SplittableRandom random;
    private boolean alive = true;
    private boolean still;

    /** Octets between two stalls, on average; 0 where there are none. */
    private long stallsAfter;

    private Pipe(int number, double octetsPerNano, long delayNanos) {
      this.number = number;
      this.octetsPerNano = octetsPerNano;
      this.delayNanos = delayNanos;
      this.random = new SplittableRandom(number);
    }

    /**
     * Makes it a TCP connection that loses: a kernel's buffer takes what it is given, and after so
     * many octets, on average, nothing comes until what was lost has been sent again, now and then
     * after a time-out.
     */
    void stallAfter(long octets) {
      stallsAfter = octets;
    }

    private long stall(Way way, int octets) {
      way.untilStall -= octets;
      if (stallsAfter == 0 || way.untilStall > 0) {
        return 0;
      }
      way.untilStall = random.nextLong(2 * stallsAfter);
      boolean timeOut = random.nextInt(10) == 0;
      return timeOut
          ? (500 + random.nextLong(1_500)) * MILLI
          : 2 * delayNanos + random.nextLong(4 * delayNanos);
    }

    boolean alive() {
      return alive;
    }

    /** With everything that is on its way. */
    void die() {
      if (alive) {
        alive = false;
        left.stream.lost(number, now);
        right.stream.lost(number, now);
      }
    }

    /** Has the junctions do without it; returns whether they do. */
    boolean withdraw() {
      return alive && left.stream.withdraw(number, now);
    }

    /** Takes what it is given and delivers nothing. */
    void pause() {
      still = true;
    }

    void resume() {
      still = false;
      for (int i = 0; i < 2; i++) {
        Way way = ways[i];
        Side to = i == 0 ? right : left;
        Deque<Frame> held = new ArrayDeque<>(way.buffered);
        way.buffered.clear();
        held.forEach(frame -> arrive(way, to, frame));
      }
    }

    private void feed(Side from) {
      Way way = ways[from == left ? 0 : 1];
      if (!alive || way.ended || way.free > now) {
        return;
      }
      Frame frame = from.stream.next(number, now);
      if (frame == null) {
        if (from.stream.finished(number)) {
          way.ended = true;
          Side to = from.peer();
          after(
              delayNanos,
              () -> {
                if (!alive) {
                  return;
                }
                way.endSeen = true;
                if (!to.stream.ended(number, now)) {
                  die();
                } else if (ways[0].endSeen && ways[1].endSeen) {
                  left.stream.left(number, now);
                  right.stream.left(number, now);
                }
              });
        }
        return;
      }
      int octets =
          FrameCodec.head(frame).remaining()
              + (frame instanceof Frame.Data data ? data.bytes().remaining() : 0);
      way.wireFree =
          Math.max(now, way.wireFree)
              + stall(way, octets)
              + Math.max(1, (long) (octets / octetsPerNano));
      way.free = stallsAfter > 0 ? now + 1 : way.wireFree;
      Frame copy = parsed(frame);
      Side to = from.peer();
      at(way.wireFree + delayNanos, () -> arrive(way, to, copy));
      at(way.free, () -> {});
    }

    private void arrive(Way way, Side to, Frame frame) {
      if (!alive) {
        return;
      }
      if (still) {
        way.buffered.add(frame);
      } else {
        to.stream.received(number, frame, now);
      }
    }

    /** The frame as it comes out of the wire. */
    private Frame parsed(Frame frame) {
      ByteBuffer wire = ByteBuffer.allocate(FrameCodec.MOST_FRAME);
      wire.put(FrameCodec.head(frame));
      if (frame instanceof Frame.Data data) {
        wire.put(data.bytes().duplicate());
      }
      try {
        Frame parsed = FrameCodec.parse(wire.flip());
        if (parsed == null || wire.hasRemaining()) {
          throw new AssertionError("not one frame: " + frame);
        }
        return parsed;
      } catch (ProtocolViolation e) {
        throw new AssertionError(e);
      }
    }
  }
}
