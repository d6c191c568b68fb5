package io.cascade.coding.wire;

import java.nio.ByteBuffer;

/** What CONTROL packets carry, one or several; the first byte is the type. */
public sealed interface Frame {
  /** Asks for an acknowledgement. */
  record Ping() implements Frame {
    static final int TYPE = 0x01;
  }

  /** An acknowledgement. */
  record Ack(AckFrame ack) implements Frame {}

  /**
   * The sender gives the session up: nothing that is not delivered yet will be.
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

  default void write(ByteBuffer to) {
    switch (this) {
      case Ping _ -> to.put((byte) Ping.TYPE);
      case Ack ack -> ack.ack().write(to);
      case Reset reset -> {
        to.put((byte) Reset.TYPE);
        Varint.write(to, reset.code());
      }
      case ResetSeen _ -> to.put((byte) ResetSeen.TYPE);
    }
  }

  /**
   * Reads the next frame.
   *
   * @throws Malformed where the type is unknown or the frame is cut
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
      default -> throw new Malformed("frame type " + type, at);
    };
  }
}
