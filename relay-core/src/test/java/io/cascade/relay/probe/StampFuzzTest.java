package io.cascade.relay.probe;

import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Packets of STAMP, and those of trains, of which the digest is made right. */
class StampFuzzTest extends FuzzTest {
  private static final byte[] KEY = new byte[32];
  private static final int SIGNED = 96;

  private final TrainCodec codec =
      new TrainCodec(KEY, (short) 0, new byte[TrainCodec.MOST_BYTES - TrainCodec.LEAST_BYTES]);

  @Override
  protected Stream<byte[]> seeds() {
    return Stream.of(
        stamp(new StampPacket.Test(1, 2, StampPacket.ERROR_ESTIMATE, (short) 4)),
        stamp(
            new StampPacket.Reflected(
                1, 2, StampPacket.ERROR_ESTIMATE, (short) 4, 5, 6, 7, StampPacket.ERROR_ESTIMATE)),
        train(new TrainPacket.Test(1, 2), 200),
        train(new TrainPacket.Reflected(1, 2, 3, 4, 5), 200));
  }

  private static byte[] stamp(StampPacket packet) {
    ByteBuffer out = ByteBuffer.allocate(StampPacket.LENGTH);
    packet.writeTo(out);
    return out.array();
  }

  private byte[] train(TrainPacket packet, int length) {
    ByteBuffer out = ByteBuffer.allocate(length);
    codec.write(packet, out, length);
    return out.array();
  }

  @Override
  protected void parse(byte[] input) throws Exception {
    StampPacket stamp = StampPacket.parse(ByteBuffer.wrap(input));
    if (stamp != null) {
      same(stamp, StampPacket.parse(ByteBuffer.wrap(stamp(stamp))));
    }
    if (input.length >= TrainCodec.LEAST_BYTES) {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      byte[] tag = mac.doFinal(Arrays.copyOf(input, SIGNED));
      System.arraycopy(tag, 0, input, SIGNED, 16);
    }
    TrainPacket train = codec.read(ByteBuffer.wrap(input));
    if (train != null) {
      TrainPacket again = codec.read(ByteBuffer.wrap(train(train, input.length)));
      same(train, again);
    }
  }
}
