package io.cascade.client.sealed;

import io.cascade.api.HostPort;
import io.cascade.client.transfer.connection.Said;
import io.cascade.testing.FuzzTest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** Messages by which two ends prove that they have a secret, tickets, and codes that are typed. */
class ExchangeFuzzTest extends FuzzTest {
  private static final Secret SECRET = Secret.ofKey(new byte[32]);

  /** What calculations with points take. */
  @Override
  protected long mostBytes() {
    return 16 << 20;
  }

  @Override
  protected Stream<byte[]> seeds() throws IOException {
    KeyAgreement sender = new KeyAgreement(KeyAgreement.Role.SENDER, SECRET);
    KeyAgreement receiver = new KeyAgreement(KeyAgreement.Role.RECEIVER, SECRET);
    byte[] first = sender.round1();
    byte[] answer = receiver.round1();
    receiver.takeRound1(ByteBuffer.wrap(first));
    sender.takeRound1(ByteBuffer.wrap(answer));
    return Stream.of(
        message(1, first),
        message(2, answer, receiver.round2()),
        message(3, sender.round2(), new byte[AgreedKeys.MAC_BYTES]),
        message(4, new byte[ReceiverIdentity.FINGERPRINT_BYTES], new byte[AgreedKeys.MAC_BYTES]),
        ByteBuffer.allocate(36).put("CSCT".getBytes(StandardCharsets.US_ASCII)).array(),
        new Code(new HostPort("203.0.113.7", 7420), "4f7kq2mz").toString().getBytes(),
        new Code(new HostPort("2001:db8::1", 1), "m7q2x9d4kp", "4f7kq2mz").toString().getBytes());
  }

  private static byte[] message(int kind, byte[]... parts) {
    ByteBuffer message = ByteBuffer.allocate(1_024);
    message.put("CSCP".getBytes(StandardCharsets.US_ASCII)).put((byte) 1).put((byte) kind);
    message.position(8);
    for (byte[] part : parts) {
      message.put(part);
    }
    message.putShort(6, (short) (message.position() - 8));
    return java.util.Arrays.copyOf(message.array(), message.position());
  }

  @Override
  protected void parse(byte[] input) {
    for (ExchangeMessage.Kind kind : ExchangeMessage.Kind.values()) {
      try {
        agree(kind, ExchangeMessage.read(new Said(input), kind));
      } catch (IOException e) {
        // As declared.
      }
    }
    try {
      Ticket _ = Ticket.read(new Said(input));
    } catch (IOException e) {
      // As declared.
    }
    try {
      Code code = Code.parse(new String(input, StandardCharsets.UTF_8));
      same(code, Code.parse(code.toString()));
    } catch (IllegalArgumentException e) {
      // As declared.
    }
  }

  private static void agree(ExchangeMessage.Kind kind, ByteBuffer body) throws IOException {
    if (kind == ExchangeMessage.Kind.HELLO) {
      KeyAgreement receiver = new KeyAgreement(KeyAgreement.Role.RECEIVER, SECRET);
      byte[] _ = receiver.round1();
      receiver.takeRound1(body);
    } else if (kind == ExchangeMessage.Kind.ROUNDS) {
      KeyAgreement sender = new KeyAgreement(KeyAgreement.Role.SENDER, SECRET);
      byte[] _ = sender.round1();
      sender.takeRound1(body);
      byte[] _ = sender.round2();
      sender.takeRound2(body);
      byte[] _ = sender.material();
    }
  }
}
