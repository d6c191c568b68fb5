package io.cascade.relay.hop;

import io.cascade.carriage.socket.LingeringClose;
import io.cascade.relay.stream.CloseReason;
import io.cascade.relay.stream.CloseReason.ConnectFailed;
import io.cascade.relay.stream.InletAnswer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The status of the connection to the destination: two bytes that the last relay of a chain sends
 * back before the bytes of a stream whose client waits for it. The first is 0xCA, the second the
 * result. Relays in between pass both on like bytes of the stream.
 *
 * @param failure null if the destination is connected
 */
record ConnectStatus(ConnectFailed.@Nullable Kind failure) {
  static final int BYTES = 2;

  private static final int MARK = 0xca;
  private static final int CONNECTED = 0;
  private static final int OTHER = 255;

  /** Sends the status. Used at the last relay. */
  static final InletAnswer SENDER =
      new InletAnswer() {
        @Override
        public void opened(Channel inlet) {
          inlet.write(new ConnectStatus(null).encode(inlet));
        }

        @Override
        public void failed(Channel inlet, CloseReason why) {
          ConnectFailed.Kind kind =
              why instanceof ConnectFailed failed ? failed.kind() : ConnectFailed.Kind.FAILED;
          LingeringClose.send(inlet, new ConnectStatus(kind).encode(inlet));
        }
      };

  private ByteBuf encode(Channel to) {
    return to.alloc()
        .buffer(BYTES)
        .writeByte(MARK)
        .writeByte(failure == null ? CONNECTED : code(failure));
  }

  /** Reads two bytes from the front of {@code in}; null if they are no status. */
  static @Nullable ConnectStatus decode(ByteBuf in) {
    if (in.readUnsignedByte() != MARK) {
      return null;
    }
    int code = in.readUnsignedByte();
    if (code == CONNECTED) {
      return new ConnectStatus(null);
    }
    for (ConnectFailed.Kind kind : ConnectFailed.Kind.values()) {
      if (code(kind) == code) {
        return new ConnectStatus(kind);
      }
    }
    return new ConnectStatus(ConnectFailed.Kind.FAILED);
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
