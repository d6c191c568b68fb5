package io.cascade.carriage.rendezvous;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A relay's answer to an end. Its head has {@value #HEAD_BYTES} bytes: the status (1 waiting, 2
 * joined, 3 refused), the number of the refusal or 0, and the length of the body (2 bytes,
 * big-endian). The body of {@link Joined} is an address of 4 or 16 bytes and a port, that of {@link
 * Refused} is printable ASCII.
 */
public sealed interface MeetingAnswer {
  /** Length of an answer's head. */
  int HEAD_BYTES = 4;

  /** The longest body. */
  int MOST_BODY_BYTES = 200;

  /** The end waits; another answer follows. */
  record Waiting() implements MeetingAnswer {}

  /**
   * The end is joined with another one; the bytes that follow are the other end's.
   *
   * @param peer address of the other end as seen by the relay
   */
  record Joined(InetSocketAddress peer) implements MeetingAnswer {}

  /**
   * The end is not joined, and the relay closes the connection.
   *
   * @param words the relay's reason, for people
   */
  record Refused(MeetingRefusal why, String words) implements MeetingAnswer {
    /** Makes a refusal with the reason's usual words. */
    public Refused(MeetingRefusal why) {
      this(why, why.words());
    }
  }

  /** Encodes the answer. */
  default ByteBuffer encode() {
    return switch (this) {
      case Waiting _ -> bytes(1, 0, new byte[0]);
      case Joined joined -> bytes(2, 0, address(joined.peer()));
      case Refused refused ->
          bytes(3, refused.why().number(), refused.words().getBytes(StandardCharsets.US_ASCII));
    };
  }

  private static ByteBuffer bytes(int status, int why, byte[] body) {
    int length = Math.min(body.length, MOST_BODY_BYTES);
    ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + length);
    out.put((byte) status).put((byte) why).putShort((short) length).put(body, 0, length);
    return out.flip();
  }

  private static byte[] address(InetSocketAddress peer) {
    byte[] host = peer.getAddress().getAddress();
    return ByteBuffer.allocate(host.length + Short.BYTES)
        .put(host)
        .putShort((short) peer.getPort())
        .array();
  }

  /**
   * Length of the body after the head at the front of {@code head}; consumes nothing.
   *
   * @throws MalformedMeeting if it is too long
   */
  static int bodyBytes(ByteBuffer head) throws MalformedMeeting {
    int length = head.getShort(head.position() + 2) & 0xFFFF;
    if (length > MOST_BODY_BYTES) {
      throw new MalformedMeeting("an answer of " + length + " bytes");
    }
    return length;
  }

  /**
   * Parses a complete answer, head and body, which must be all that {@code in} contains.
   *
   * @throws MalformedMeeting if it is invalid
   */
  static MeetingAnswer decode(ByteBuffer in) throws MalformedMeeting {
    if (in.remaining() < HEAD_BYTES || in.remaining() != HEAD_BYTES + bodyBytes(in)) {
      throw new MalformedMeeting("an answer of " + in.remaining() + " bytes");
    }
    int status = in.get();
    int why = in.get() & 0xFF;
    byte[] body = new byte[in.getShort()];
    in.get(body);
    if (status == 1 && why == 0 && body.length == 0) {
      return new Waiting();
    }
    if (status == 2 && why == 0) {
      return new Joined(address(body));
    }
    if (status == 3 && isPrintable(body)) {
      return new Refused(MeetingRefusal.of(why), new String(body, StandardCharsets.US_ASCII));
    }
    throw new MalformedMeeting("status " + status + ", reason " + why);
  }

  private static InetSocketAddress address(byte[] body) throws MalformedMeeting {
    ByteBuffer in = ByteBuffer.wrap(body);
    byte[] host = new byte[Math.max(0, body.length - Short.BYTES)];
    try {
      in.get(host);
      InetAddress address = InetAddress.getByAddress(host); // accepts 4 and 16 bytes only
      return new InetSocketAddress(address, in.getShort() & 0xFFFF);
    } catch (UnknownHostException e) {
      throw new MalformedMeeting("an address of " + host.length + " bytes");
    }
  }

  /** The text comes from another host and is shown on terminals. */
  private static boolean isPrintable(byte[] body) {
    for (byte each : body) {
      if (each < ' ' || each > '~') {
        return false;
      }
    }
    return true;
  }
}
