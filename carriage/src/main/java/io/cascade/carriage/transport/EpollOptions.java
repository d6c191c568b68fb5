package io.cascade.carriage.transport;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelOption;
import io.netty.channel.DefaultChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * The options of a socket. The kernel stores most of them, so they are read from it and set in it.
 */
final class EpollOptions extends DefaultChannelConfig {
  EpollOptions(EpollSocket channel, RecvByteBufAllocator receive) {
    super(channel, receive);
    setAllocator(PooledByteBufAllocator.DEFAULT);
  }

  @Override
  @SuppressWarnings("unchecked") // an option's value has its type
  public <T> @Nullable T getOption(ChannelOption<T> option) {
    try {
      if (option instanceof IntegerUnixChannelOption number) {
        return (T) (Integer) socket().getIntOpt(number.level(), number.optname());
      }
      if (option instanceof RawUnixChannelOption raw) {
        ByteBuffer value = ByteBuffer.allocate(raw.length());
        socket().getRawOpt(raw.level(), raw.optname(), value);
        return (T) value.flip();
      }
      if (option.equals(ChannelOption.SO_LINGER)) {
        return (T) (Integer) socket().getSoLinger();
      }
      if (option.equals(ChannelOption.TCP_NODELAY)) {
        return (T) (Boolean) socket().isTcpNoDelay();
      }
      if (option.equals(ChannelOption.SO_KEEPALIVE)) {
        return (T) (Boolean) socket().isKeepAlive();
      }
      if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
        return (T) Boolean.TRUE;
      }
      return super.getOption(option);
    } catch (IOException e) {
      throw new ChannelException(e);
    }
  }

  @Override
  public <T> boolean setOption(ChannelOption<T> option, T value) {
    validate(option, value);
    try {
      if (option instanceof IntegerUnixChannelOption number) {
        socket().setIntOpt(number.level(), number.optname(), (Integer) value);
      } else if (option instanceof RawUnixChannelOption raw) {
        socket().setRawOpt(raw.level(), raw.optname(), (ByteBuffer) value);
      } else if (option.equals(ChannelOption.SO_LINGER)) {
        socket().setSoLinger((Integer) value);
      } else if (option.equals(ChannelOption.TCP_NODELAY)) {
        socket().setTcpNoDelay((Boolean) value);
      } else if (option.equals(ChannelOption.SO_KEEPALIVE)) {
        socket().setKeepAlive((Boolean) value);
      } else if (option.equals(ChannelOption.SO_REUSEADDR)) {
        socket().setReuseAddress((Boolean) value);
      } else if (option.equals(ChannelOption.ALLOW_HALF_CLOSURE)) {
        return (Boolean) value; // no other type is possible
      } else {
        return super.setOption(option, value);
      }
      return true;
    } catch (IOException e) {
      throw new ChannelException(e);
    }
  }

  @Override
  protected void autoReadCleared() {
    ((EpollSocket) channel).stopReading();
  }

  /**
   * @throws ClosedChannelException if another connection may already use its number
   */
  private Socket socket() throws ClosedChannelException {
    EpollSocket owner = (EpollSocket) channel;
    if (!owner.isOpen()) {
      throw new ClosedChannelException();
    }
    return owner.fd();
  }
}
