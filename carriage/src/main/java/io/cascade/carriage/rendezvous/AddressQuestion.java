package io.cascade.carriage.rendezvous;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A datagram by which an end asks the relay that joins it for the source address of its datagrams.
 *
 * <pre>
 * question   21 hex | version u8, 1 | transaction u64 | meeting number 32
 * answer     22 hex | version u8, 1 | transaction u64 | port u16 | address, 4 or 16 bytes
 * </pre>
 *
 * All numbers are big-endian. Port and address are combined with the transaction's bytes by
 * exclusive or: some NATs rewrite addresses that they recognise in a datagram (RFC 8489 §14.2). An
 * answer is shorter than its question.
 *
 * @param transaction a random number that identifies the answer
 * @param meeting a number under which an end waits at the relay; questions with other numbers get
 *     no answer
 */
public record AddressQuestion(long transaction, MeetingNumber meeting) {
  /** Length of a question. */
  public static final int BYTES = 2 + Long.BYTES + MeetingNumber.BYTES;

  private static final byte QUESTION = 0x21;
  private static final byte ANSWER = 0x22;
  private static final byte VERSION = 1;
  private static final int ANSWER_HEAD_BYTES = 2 + Long.BYTES + Short.BYTES;

  /** A relay's answer; {@code seen} is the source address of the question. */
  public record Answer(long transaction, InetSocketAddress seen) {}

  /** Encodes the question. */
  public ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(BYTES).put(QUESTION).put(VERSION).putLong(transaction);
    meeting.writeTo(out);
    return out.flip();
  }

  /** Parses a question; null if the datagram is none. */
  public static @Nullable AddressQuestion decode(ByteBuffer datagram) {
    if (datagram.remaining() != BYTES || datagram.get() != QUESTION || datagram.get() != VERSION) {
      return null;
    }
    return new AddressQuestion(datagram.getLong(), MeetingNumber.readFrom(datagram));
  }

  /** Encodes the answer to this question. */
  public ByteBuffer answer(InetSocketAddress seen) {
    byte[] address = seen.getAddress().getAddress();
    ByteBuffer out =
        ByteBuffer.allocate(ANSWER_HEAD_BYTES + address.length)
            .put(ANSWER)
            .put(VERSION)
            .putLong(transaction)
            .putShort((short) seen.getPort())
            .put(address)
            .flip();
    mask(out.array(), transaction);
    return out;
  }

  /** Parses an answer; null if the datagram is none. */
  public static @Nullable Answer answered(ByteBuffer datagram) {
    byte[] bytes = new byte[datagram.remaining()];
    datagram.get(bytes);
    int length = bytes.length - ANSWER_HEAD_BYTES;
    if ((length != 4 && length != 16) || bytes[0] != ANSWER || bytes[1] != VERSION) {
      return null;
    }
    long transaction = ByteBuffer.wrap(bytes).getLong(2);
    mask(bytes, transaction);
    ByteBuffer in = ByteBuffer.wrap(bytes).position(2 + Long.BYTES);
    int port = Short.toUnsignedInt(in.getShort());
    byte[] address = new byte[length];
    in.get(address);
    try {
      return new Answer(
          transaction, new InetSocketAddress(InetAddress.getByAddress(address), port));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address of " + length + " bytes", e);
    }
  }

  private static void mask(byte[] answer, long transaction) {
    for (int i = 2 + Long.BYTES; i < answer.length; i++) {
      answer[i] ^= (byte) (transaction >> (Byte.SIZE * (i % Long.BYTES)));
    }
  }
}
