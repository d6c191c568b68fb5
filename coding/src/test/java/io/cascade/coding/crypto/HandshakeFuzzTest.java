package io.cascade.coding.crypto;

import io.cascade.coding.wire.Malformed;
import io.cascade.testing.FuzzTest;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.stream.Stream;

/** Datagrams before a coded session, also of whoever has the key. */
class HandshakeFuzzTest extends FuzzTest {
  private static final byte[] KEY = new byte[32];
  private static final byte[] ADDRESS = {10, 0, 0, 1, 0, 7};
  private static final int MOST = 1_472;

  @Override
  protected Stream<byte[]> seeds() {
    byte[] agreementKey = new AgreementKey().publicBytes();
    byte[] mac = new byte[HandshakePacket.MAC_BYTES];
    byte[] cookie = new byte[16];
    HandshakePacket.Hello hello =
        new HandshakePacket.Hello(
                1, agreementKey, new byte[] {1}, cookie, mac, Dialling.LEAST_DATAGRAM_BYTES)
            .signed(KEY);
    return Stream.of(
        hello.encode(),
        HandshakePacket.Retry.signed(KEY, hello, cookie).encode(),
        new HandshakePacket.Welcome(1, 2, agreementKey, mac, Dialling.LEAST_DATAGRAM_BYTES)
            .signed(KEY, hello)
            .encode());
  }

  @Override
  protected void parse(byte[] input) {
    Accepting accepting = new Accepting(_ -> KEY, new SecureRandom(), 1);
    take(accepting, input);
    try {
      HandshakePacket read = HandshakePacket.read(ByteBuffer.wrap(input));
      byte[] again = encode(read);
      require(
          Arrays.equals(again, encode(HandshakePacket.read(ByteBuffer.wrap(again)))),
          "a handshake is read as it was written");
      if (read instanceof HandshakePacket.Hello hello) {
        take(accepting, hello.signed(KEY).encode());
        take(accepting, hello.signed(KEY).encode());
      }
    } catch (Malformed e) {
      // As declared.
    }
    Dialling dialling =
        new Dialling(KEY, new byte[] {1}, 1, MOST, Dialling.Repetition.SAME_LENGTH, 0, 1_000);
    byte[] _ = dialling.poll(0);
    dialling.onDatagram(ByteBuffer.wrap(input), 1);
    byte[] _ = dialling.poll(2);
  }

  private static void take(Accepting accepting, byte[] datagram) {
    byte[] reply =
        switch (accepting.onDatagram(ByteBuffer.wrap(datagram), ADDRESS, MOST, 1)) {
          case Accepting.HelloOutcome.Nothing _ -> new byte[0];
          case Accepting.HelloOutcome.Reply of -> of.datagram();
          case Accepting.HelloOutcome.Opened opened -> opened.welcome();
        };
    require(reply.length <= datagram.length, "an answer is no longer than what it answers");
  }

  private static byte[] encode(HandshakePacket packet) {
    return switch (packet) {
      case HandshakePacket.Hello hello -> hello.encode();
      case HandshakePacket.Retry retry -> retry.encode();
      case HandshakePacket.Welcome welcome -> welcome.encode();
    };
  }
}
