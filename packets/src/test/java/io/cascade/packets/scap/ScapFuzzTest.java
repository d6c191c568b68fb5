package io.cascade.packets.scap;

import static io.cascade.packets.header.TestPacket.ACK;
import static io.cascade.packets.header.TestPacket.FIN;
import static io.cascade.packets.header.TestPacket.SYN;

import io.cascade.packets.header.Packet;
import io.cascade.packets.header.PacketParser;
import io.cascade.packets.header.TestPacket;
import io.cascade.packets.pipes.PipeId;
import io.cascade.packets.pipes.PipeSelection;
import io.cascade.packets.pipes.Pipes;
import io.cascade.packets.pipes.TestPipes;
import io.cascade.packets.signalling.SignallingMethod;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A splitter/combiner between hosts and a peer that send whatever they like. The first byte of an
 * input is its mode and signalling; of each packet, a byte tells where it comes from and another
 * one its length.
 */
class ScapFuzzTest extends FuzzTest {
  private static final int OUTBOUND = 0;
  private static final int INBOUND = 1;

  /** Counts that every connection has. */
  @Override
  protected long mostBytes() {
    return 4 << 20;
  }

  @Override
  protected Stream<byte[]> seeds() {
    ByteBuffer flow = ByteBuffer.allocate(1_000).put((byte) 0);
    put(flow, OUTBOUND, TestPacket.outbound().flags(SYN).options(1, 1, 4, 2));
    put(flow, INBOUND, TestPacket.inbound().flags(SYN | ACK).options(1, 1, 4, 2).acknowledgment(1));
    for (int i = 0; i < 5; i++) {
      put(flow, OUTBOUND, TestPacket.outbound().sequence(1 + 10 * i).acknowledgment(1).payload(10));
    }
    put(flow, INBOUND, TestPacket.inbound().sequence(1).acknowledgment(1).sack(21, 31));
    put(flow, INBOUND, TestPacket.inbound().sequence(1).acknowledgment(51));
    put(flow, INBOUND, TestPacket.inbound().sequence(1).flags(FIN | ACK).acknowledgment(51));
    byte[] bytes = java.util.Arrays.copyOf(flow.array(), flow.position());
    return Stream.of(0, 1, 2, 3, 9, 10, 17, 18)
        .map(kind -> {
          byte[] copy = bytes.clone();
          copy[0] = kind.byteValue();
          return copy;
        });
  }

  private static void put(ByteBuffer to, int from, TestPacket packet) {
    byte[] bytes = packet.bytes();
    to.put((byte) from).put((byte) bytes.length).put(bytes);
  }

  @Override
  protected void parse(byte[] input) {
    if (input.length == 0) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(input);
    int kind = in.get() & 0x7f;
    Mode[] modes = Mode.values();
    SignallingMethod[] methods = SignallingMethod.values();
    Pipes pipes = TestPipes.of(40, 80);
    Scap scap =
        new Scap(
            new ScapSettings(
                modes[(kind & 7) % modes.length],
                new AdmissionPolicy(0, Set.of(), List.of()),
                new PipeSelection.All(),
                methods[(kind >>> 3) % methods.length],
                10,
                1_400,
                1 << 20),
            pipes,
            new Output(),
            0x123456);
    long now = 1;
    while (in.remaining() > 2) {
      int from = in.get() & 3;
      int length = Math.min(in.get() & 0xff, in.remaining());
      byte[] packet = new byte[length];
      in.get(packet);
      now += 1_000_000;
      scap.tick(now);
      switch (from) {
        case OUTBOUND -> scap.outbound(packet, length, now);
        case INBOUND -> scap.inbound(pipes.all().getFirst().id(), packet, length, now);
        case 2 -> scap.inbound(pipes.all().getLast().id(), packet, length, now);
        default -> scap.signalled(packet);
      }
      require(scap.nextNanos() > 0, "the next time is one");
    }
    require(scap.connections().size() <= 10, "connections are bounded");
    scap.close();
  }

  private static final class Output implements PacketOutput {
    @Override
    public void toPipe(PipeId pipe, Packet packet) {
      require(PacketParser.parse(packet.bytes(), packet.bytes().length) != null, "a packet");
    }

    @Override
    public void toNear(Packet packet) {
      require(PacketParser.parse(packet.bytes(), packet.bytes().length) != null, "a packet");
    }

    @Override
    public void signal(byte[] message) {
      require(message.length < 64, "a message is short");
    }
  }
}
