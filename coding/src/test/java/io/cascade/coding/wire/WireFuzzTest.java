package io.cascade.coding.wire;

import io.cascade.coding.window.GapSet;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;

/** Headers and frames of coded datagrams, and datagrams in two halves. */
class WireFuzzTest extends FuzzTest {
  private static final int ROOM = 8_192;

  @Override
  protected Stream<byte[]> seeds() {
    AckFrame ack =
        new AckFrame(
            1,
            1_000,
            3,
            4,
            5,
            6,
            70_000,
            new ArrivalMap(new byte[] {1, 2}),
            new GapSet(new long[] {7, 12}, new int[] {2, 1}, 2));
    return Stream.of(
        frames(
            new Frame.Ack(ack),
            new Frame.Ping(),
            new Frame.Reset(300),
            new Frame.ResetSeen(),
            new Frame.TcpWanted(true),
            new Frame.PathChallenge(5),
            new Frame.PathResponse(6),
            new Frame.Padding(3)),
        bytes(out -> new SourceHeader(1, 2).write(out), 2),
        bytes(out -> new RepairHeader(RepairHeader.NO_GAPS, 1, 2, 3, 4).write(out), 104),
        bytes(out -> new RepairHeader(7, 1, 2, 3, 4).write(out), 104),
        bytes(out -> HalfDatagrams.write(1, 0, ByteBuffer.allocate(40), out), 0));
  }

  private static byte[] frames(Frame... frames) {
    return bytes(
        out -> {
          for (Frame frame : frames) {
            frame.write(out);
          }
        },
        0);
  }

  private static byte[] bytes(java.util.function.Consumer<ByteBuffer> written, int more) {
    ByteBuffer out = ByteBuffer.allocate(ROOM);
    out.put(new byte[] {0x41, 0, 0, 0, 1, 0, 5});
    written.accept(out);
    return Arrays.copyOf(out.array(), out.position() + more);
  }

  @Override
  protected void parse(byte[] input) {
    HalfDatagrams halves = new HalfDatagrams();
    ByteBuffer _ = halves.join(ByteBuffer.wrap(input));
    ByteBuffer _ = halves.join(ByteBuffer.wrap(input));
    ByteBuffer in = ByteBuffer.wrap(input);
    try {
      PacketHeader header = PacketHeader.read(in, 4);
      if (header.number() >= 0) {
        ByteBuffer out = ByteBuffer.allocate(ROOM);
        header.write(out, header.number() - 1);
        same(header, PacketHeader.read(out.flip(), header.number() - 1));
      }
    } catch (Malformed e) {
      return; // As declared.
    }
    headers(in.duplicate());
    ByteBuffer out = ByteBuffer.allocate(ROOM);
    try {
      while (in.hasRemaining()) {
        Frame frame = Frame.read(in);
        frame.write(out.clear());
        require(
            !(frame instanceof Frame.Ack) || out.position() <= AckFrame.MOST_BYTES,
            "an acknowledgement is as short as it says");
        same(frame, Frame.read(out.flip()));
      }
    } catch (Malformed e) {
      // As declared.
    }
  }

  private static void headers(ByteBuffer in) {
    try {
      SourceHeader source = SourceHeader.read(in.duplicate(), 100);
      ByteBuffer out = ByteBuffer.allocate(ROOM);
      source.write(out);
      out.put(new byte[source.length()]);
      same(source, SourceHeader.read(out.flip(), 100));
    } catch (Malformed e) {
      // As declared.
    }
    for (PacketType type : new PacketType[] {PacketType.SLIDING, PacketType.GAP}) {
      try {
        RepairHeader repair = RepairHeader.read(in.duplicate(), type, 100);
        ByteBuffer out = ByteBuffer.allocate(ROOM);
        repair.write(out);
        out.put(new byte[100]);
        same(repair, RepairHeader.read(out.flip(), type, 100));
      } catch (Malformed e) {
        // As declared.
      }
    }
  }
}
