package io.cascade.relay.hop;

import io.cascade.relay.socket.LingeringClose;
import io.cascade.relay.stream.Answer;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Two bytes that the last relay of a chain sends back before a stream that is awaited: 0xCA, and
 * whether the destination is connected. Relays between pass them on as they do the stream.
 *
 * @param failure null when it is connected
 */
record Verdict(ConnectFailed.@Nullable Kind failure) {
  static final int BYTES = 2;

  private static final int MARK = 0xca;
  private static final int CONNECTED = 0;
  private static final int OTHER = 255;

  /** Gives it, at the last relay. */
  static final Answer GIVEN =
      new Answer() {
        @Override
        public void opened(Channel inlet) {
          inlet.write(new Verdict(null).encode(inlet));
        }

        @Override
        public void failed(Channel inlet, CloseReason why) {
          ConnectFailed.Kind kind =
              why instanceof ConnectFailed failed ? failed.kind() : ConnectFailed.Kind.FAILED;
          LingeringClose.send(inlet, new Verdict(kind).encode(inlet));
        }
      };

  private ByteBuf encode(Channel to) {
    return to.alloc()
        .buffer(BYTES)
        .writeByte(MARK)
        .writeByte(failure == null ? CONNECTED : code(failure));
  }

  /** Takes it off the front; null when it is none. */
  static @Nullable Verdict decode(ByteBuf in) {
    if (in.readUnsignedByte() != MARK) {
      return null;
    }
    int code = in.readUnsignedByte();
    if (code == CONNECTED) {
      return new Verdict(null);
    }
    for (ConnectFailed.Kind kind : ConnectFailed.Kind.values()) {
      if (code(kind) == code) {
        return new Verdict(kind);
      }
    }
    return new Verdict(ConnectFailed.Kind.FAILED); // of a later version
  }

  private static int code(ConnectFailed.Kind kind) {
    return switch (kind) {
      case REFUSED -> 1;
      case TIMED_OUT -> 2;
      case UNRESOLVABLE -> 3;
      case HOST_UNREACHABLE -> 4;
      case NETWORK_UNREACHABLE -> 5;
      case NOT_ALLOWED -> 6;
      case FAILED -> OTHER;
    };
  }
}
