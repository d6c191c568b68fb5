package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/** Frame of a CONTROL packet, which contains one or several; the first byte is the type. */
public sealed interface Frame {
  /** Requests an acknowledgement. */
  record Ping() implements Frame {
    static final int TYPE = 0x01;
  }

  /** An acknowledgement. */
  record Ack(AckFrame ack) implements Frame {}

  /**
   * The sender resets the session: bytes that are not delivered yet never will be.
   *
   * @param code of the application
   */
  record Reset(long code) implements Frame {
    static final int TYPE = 0x04;
  }

  /** The peer's reset has arrived. */
  record ResetSeen() implements Frame {
    static final int TYPE = 0x05;
  }

  /**
   * The sender's data does not arrive over UDP as it should: it requests a TCP connection from the
   * dialling end.
   *
   * @param instead whether the connection must carry the session; otherwise it must be compared
   *     with UDP
   */
  record TcpWanted(boolean instead) implements Frame {
    static final int TYPE = 0x06;
  }

  /**
   * Asks whether the peer receives at the packet's target (RFC 9000 §8.2).
   *
   * @param data that the answer repeats; unpredictable
   */
  record PathChallenge(long data) implements Frame {
    static final int TYPE = 0x1a;
  }

  /**
   * Answers a {@link PathChallenge}, over the carrier by which it came.
   *
   * @param data of the challenge
   */
  record PathResponse(long data) implements Frame {
    static final int TYPE = 0x1b;
  }

  /**
   * Makes a packet longer.
   *
   * @param bytes consecutive zeros, 1 or more
   */
  record Padding(int bytes) implements Frame {
    static final int TYPE = 0x00;
  }

  /** Whether the frame only tests a carrier, so that its sender need not use it (RFC 9000 §9.1). */
  default boolean isProbing() {
    return switch (this) {
      case PathChallenge _, PathResponse _, Padding _ -> true;
      case Ping _, Ack _, Reset _, ResetSeen _, TcpWanted _ -> false;
    };
  }

  default void write(ByteBuffer to) {
    switch (this) {
      case PathChallenge challenge -> to.put((byte) PathChallenge.TYPE).putLong(challenge.data());
      case PathResponse response -> to.put((byte) PathResponse.TYPE).putLong(response.data());
      case Padding padding -> {
        for (int i = 0; i < padding.bytes(); i++) {
          to.put((byte) Padding.TYPE);
        }
      }
      case Ping _ -> to.put((byte) Ping.TYPE);
      case Ack ack -> ack.ack().write(to);
      case Reset reset -> {
        to.put((byte) Reset.TYPE);
        Varint.write(to, reset.code());
      }
      case ResetSeen _ -> to.put((byte) ResetSeen.TYPE);
      case TcpWanted wanted -> to.put((byte) TcpWanted.TYPE).put((byte) (wanted.instead() ? 1 : 0));
    }
  }

  /**
   * Reads the next frame.
   *
   * @throws Malformed if the type is unknown or the frame is truncated
   */
  static Frame read(ByteBuffer from) throws Malformed {
    Wire.need(from, 1, "frame");
    int at = from.position();
    int type = Wire.u8(from);
    return switch (type) {
      case Ping.TYPE -> new Ping();
      case AckFrame.TYPE -> new Ack(AckFrame.read(from));
      case Reset.TYPE -> new Reset(Varint.read(from));
      case ResetSeen.TYPE -> new ResetSeen();
      case TcpWanted.TYPE -> {
        Wire.need(from, 1, "wish");
        int wish = Wire.u8(from);
        if (wish > 1) {
          throw new Malformed("wish " + wish, at);
        }
        yield new TcpWanted(wish == 1);
      }
      case PathChallenge.TYPE -> {
        Wire.need(from, Long.BYTES, "challenge");
        yield new PathChallenge(from.getLong());
      }
      case PathResponse.TYPE -> {
        Wire.need(from, Long.BYTES, "response");
        yield new PathResponse(from.getLong());
      }
      case Padding.TYPE -> {
        int start = from.position();
        while (from.hasRemaining() && from.get(from.position()) == Padding.TYPE) {
          from.get();
        }
        yield new Padding(1 + from.position() - start);
      }
      default -> throw new Malformed("frame type " + type, at);
    };
  }
}
