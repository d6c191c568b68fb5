package io.cascade.coding.session;

import io.cascade.coding.control.DelayCompete;
import io.cascade.coding.datagram.Datagram;
import io.cascade.coding.datagram.DatagramSource;
import io.cascade.coding.datagram.Datagrams;
import io.cascade.coding.redundancy.SlidingDeficit;
import io.cascade.coding.stream.CodedStream;
import io.cascade.coding.stream.CodedStreamLimits;
import io.cascade.coding.stream.StreamMemory;
import io.cascade.coding.stream.Streams;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.stream.Stream;

/**
 * A coded session whose peer has the keys and says whatever it likes. The first byte of an input is
 * what the session carries; datagrams follow, each behind its length in one byte.
 */
class SessionFuzzTest extends FuzzTest {
  private static final int CONTENT = 100;
  private static final int WINDOW = 512;
  private static final long STEP_NANOS = 5_000_000;
  private static final int BYTES = 0;
  private static final int STREAMS = 1;
  private static final int DATAGRAMS = 2;

  private final ByteBuffer out = ByteBuffer.allocate(2_000);
  private final ByteBuffer into = ByteBuffer.allocate(1 << 16);

  /** What a session holds for its window, and a little for each of its datagrams. */
  @Override
  protected long mostBytes() {
    return 8 << 20;
  }

  /** A session, and who gives it work and takes what has come. */
  private record End(CodedSession session, Runnable before, Runnable after) {}

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(said(BYTES), said(STREAMS), said(DATAGRAMS));
  }

  /** What an end says to another one that has said the same. */
  private byte[] said(int kind) {
    ByteBuffer all = ByteBuffer.allocate(4_096).put((byte) kind);
    End end = end(kind, 2);
    End other = end(kind, 1);
    long now = 1;
    for (int turn = 0; turn < 4; turn++) {
      now += STEP_NANOS;
      exchange(end, other, now, all);
      exchange(other, end, now, ByteBuffer.allocate(0));
    }
    return java.util.Arrays.copyOf(all.array(), all.position());
  }

  private void exchange(End from, End to, long now, ByteBuffer kept) {
    from.before().run();
    for (int length = from.session().poll(now, out.clear());
        length > 0;
        length = from.session().poll(now, out.clear())) {
      out.flip();
      if (length < 256 && kept.remaining() > length) {
        kept.put((byte) length).put(out.duplicate());
      }
      boolean _ = to.session().onDatagram(out, now);
    }
  }

  private End end(int kind, int local) {
    SessionSettings settings =
        new SessionSettings(local, 3 - local, CONTENT, WINDOW, 60_000_000_000L, 1);
    DelayCompete control = new DelayCompete();
    return switch (kind % 3) {
      case STREAMS -> {
        Streams streams =
            new Streams(
                local == 1,
                new CodedStreamLimits(
                    10_000, 40_000, 10_000, 64, new StreamMemory(1 << 20, () -> 0)),
                (long) WINDOW * CONTENT);
        CodedStream own = streams.open();
        yield new End(
            new CodedSession(settings, control, new SlidingDeficit(), streams, 1),
            () -> {
              if (own != null) {
                int _ = own.offer(ByteBuffer.allocate(30));
              }
            },
            () -> {
              for (CodedStream next = streams.accept(); next != null; next = streams.accept()) {}
              streams.all().forEach(stream -> stream.read(into.clear(), 1));
              streams.nextChanged();
            });
      }
      case DATAGRAMS -> {
        DatagramSource source =
            new DatagramSource() {
              @Override
              public boolean waits() {
                return true;
              }

              @Override
              public Datagram next(long now) {
                return new Datagram(5, new byte[90]);
              }
            };
        Datagrams datagrams = new Datagrams(CONTENT, source, _ -> {});
        yield new End(
            new CodedSession(settings, control, new SlidingDeficit(), datagrams, 1),
            () -> {},
            () -> datagrams.onTime(1));
      }
      default -> {
        CodedSession session = new CodedSession(settings, control, new SlidingDeficit(), 1);
        yield new End(
            session,
            () -> {
              int _ = session.offer(ByteBuffer.allocate(50));
            },
            () -> {
              int _ = session.read(into.clear(), 1);
            });
      }
    };
  }

  @Override
  protected void parse(byte[] input) {
    if (input.length == 0) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(input);
    End end = end(in.get() & 0x7f, 1);
    long now = 1;
    for (int i = 0; i < 64 && in.hasRemaining(); i++) {
      int length = Math.min(in.get() & 0xff, in.remaining());
      ByteBuffer datagram = in.slice(in.position(), length);
      in.position(in.position() + length);
      now += STEP_NANOS;
      end.before().run();
      boolean _ = end.session().onDatagram(datagram, now);
      end.after().run();
      for (int sent = 0; sent < 32 && end.session().poll(now, out.clear()) > 0; sent++) {}
      require(end.session().nextNanos() > 0, "the next time is one");
    }
  }
}
