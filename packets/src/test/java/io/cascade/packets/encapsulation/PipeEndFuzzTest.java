package io.cascade.packets.encapsulation;

import io.cascade.packets.encapsulation.PipeDatagram.Kind;
import io.cascade.packets.header.IpAddress;
import io.cascade.packets.header.IpPrefix;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeProperties;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** Datagrams of a pipe, one behind the other, each behind its length in two bytes. */
class PipeEndFuzzTest extends FuzzTest {
  private static final long TOKEN = 1;
  private static final long STEP_NANOS = 300_000_000;
  private static final List<IpPrefix> ANY =
      List.of(new IpPrefix(IpAddress.of(new byte[] {10, 0, 0, 0}), 24));

  @Override
  protected Stream<byte[]> seeds() {
    byte[] packet = TestPacket.inbound().bytes();
    byte[] probe = datagram(Kind.PROBE, ByteBuffer.allocate(8).putLong(5).array());
    return Stream.of(
        probe,
        datagram(Kind.ANSWER, ByteBuffer.allocate(64).putLong(5).putInt(1).putInt(2).array()),
        datagram(Kind.TRAIN, new byte[40]),
        datagram(Kind.SIGNAL, new byte[] {1, 2}),
        ByteBuffer.allocate(2 * packet.length + 200)
            .put(probe)
            .put(datagram(Kind.PACKET, packet))
            .put(probe)
            .array());
  }

  private static byte[] datagram(Kind kind, byte[] content) {
    byte[] made = PipeDatagram.make(kind, TOKEN, 1, 1_000_000, content.length).put(content).array();
    return ByteBuffer.allocate(2 + made.length).putShort((short) made.length).put(made).array();
  }

  @Override
  protected void parse(byte[] input) {
    PipeEnd end =
        new PipeEnd(
            TOKEN,
            new PipeProperties(500_000_000, 1_000_000_000, 1 << 18, 0),
            false,
            false,
            ANY,
            ANY);
    long now = STEP_NANOS;
    ByteBuffer in = ByteBuffer.wrap(input);
    byte[] datagram = new byte[1 << 16]; // what came before is behind what comes
    while (in.remaining() > 2) {
      int length = Math.min(in.getShort() & 0xffff, in.remaining());
      in.get(datagram, 0, length);
      now += STEP_NANOS;
      end.arrived(
          datagram,
          length,
          now,
          new PipeEnd.Taker() {
            @Override
            public void packet(byte[] packet) {
              require(packet.length <= length, "a packet is what came");
            }

            @Override
            public void signal(byte[] message) {
              require(message.length <= length, "a message is what came");
            }

            @Override
            public void reply(byte[] answer) {
              require(answer.length <= 100, "an answer is short");
            }
          });
      end.tick(now, _ -> {});
      require(end.properties() != null, "a pipe has properties");
      PipeMeasurement _ = end.measurement();
    }
  }
}
