package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a stream: a channel whose two directions end separately, which tells what became
 * of the bytes that were written to it. Everything above this package speaks to connections through
 * this interface, whatever carries them: TCP by epoll or by NIO, with or without TLS.
 *
 * <p>A connection resets when it is closed, unless {@link #closeInOrder} is called. Its failures
 * are passed to its pipeline as exceptions that {@link ConnectionError#of} names. Methods are
 * called on its event loop unless they say otherwise.
 */
public interface Connection extends DuplexChannel {
  /**
   * The connection that a channel is.
   *
   * @throws IllegalArgumentException when it is none
   */
  static Connection of(Channel channel) {
    if (channel instanceof Connection connection) {
      return connection;
    }
    throw new IllegalArgumentException("no connection: " + channel);
  }

  /** Sizes of its reads, and who decides on them. */
  BudgetedReceive receive();

  /** Handler between its pipeline and its socket; null where there is none. */
  @Nullable Protection protection();

  /** {@code protection} stands between its pipeline and its socket from now on. */
  void protectBy(Protection protection);

  /** Whether the peer's end has come, perhaps behind bytes that are not read yet. */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Access to its socket for the kernel to move bytes; null where bytes must be read and written by
   * this process, or the connection does not stand.
   */
  default @Nullable EpollRegistration spliceable() {
    return null;
  }

  /**
   * Ends the output in good order, after all that was written: with FIN, and before it with what
   * its protection has to say.
   */
  default ChannelFuture finishOutput() {
    Protection protection = protection();
    return protection == null ? FinishOutput.ofPlain(this) : protection.finishOutput();
  }

  /**
   * Whether {@link #closeInOrder} ends the output just as well as {@link #finishOutput} before it.
   */
  default boolean isFinishedByClose() {
    ChannelOutboundBuffer pending = unsafe().outboundBuffer();
    boolean allWritten = pending == null || pending.isEmpty();
    return allWritten && protection() == null;
  }

  /** Lets its close, whenever it comes, be no reset: what was written is delivered, then FIN. */
  default void disarm() {
    if (isOpen()) {
      try {
        config().setOption(ChannelOption.SO_LINGER, -1);
      } catch (ChannelException e) {
        // It broke meanwhile, and tells that itself.
      }
    }
  }

  /** Closes it without a reset. */
  default ChannelFuture closeInOrder() {
    disarm();
    return close();
  }

  /** Closes it with a reset, unless it was disarmed: the peer must not take this for an end. */
  default ChannelFuture abort() {
    return close();
  }

  /** State of the bytes that were written to it. */
  default Delivery delivery() {
    TcpInfo info = tcpInfo();
    if (info == null) {
      return Delivery.UNKNOWN;
    }
    return info.delivered() ? Delivery.DELIVERED : info.closed() ? Delivery.LOST : Delivery.PENDING;
  }

  /**
   * Whether the peer has not answered for {@code limit} what it should have; never where the
   * transport cannot tell.
   */
  default boolean isSilentFor(Duration limit) {
    TcpInfo info = tcpInfo();
    return info != null && info.silentFor(limit);
  }

  /** The kernel's own account; null where there is none (any more). From any thread. */
  default @Nullable TcpInfo tcpInfo() {
    return TcpInfo.of(this);
  }

  /** Whether it is a socket of its own, whose options can be set. */
  default boolean hasSocketOptions() {
    return true;
  }

  /** Bytes that it holds itself, beside what its kernel does. From any thread. */
  default long heldBytes() {
    return 0;
  }

  /** The name of its congestion control; null where that cannot be told. From any thread. */
  default @Nullable String congestionControl() {
    return SocketTuning.congestionControlOf(this);
  }

  /** States of written bytes. */
  enum Delivery {
    /** The peer has acknowledged all. */
    DELIVERED,
    /** Some are under way. */
    PENDING,
    /** The connection is no more, and with it what was not acknowledged. */
    LOST,
    /** The transport cannot tell. */
    UNKNOWN
  }

  @Override
  default boolean isShutdown() {
    return isInputShutdown() && isOutputShutdown();
  }

  @Override
  default ChannelFuture shutdownInput() {
    return shutdownInput(newPromise());
  }

  @Override
  default ChannelFuture shutdownOutput() {
    return shutdownOutput(newPromise());
  }

  @Override
  default ChannelFuture shutdown() {
    return shutdown(newPromise());
  }
}
