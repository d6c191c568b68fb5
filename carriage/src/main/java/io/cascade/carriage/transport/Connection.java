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
 * A connection of a stream: a channel whose two directions end separately, and which reports
 * whether written bytes were delivered. All code above this package uses connections through this
 * interface, whatever carries them: TCP by epoll or by NIO, with or without TLS.
 *
 * <p>A connection resets when it is closed, unless {@link #closeInOrder} is called. Its failures
 * are passed to its pipeline as exceptions that {@link ConnectionError#of} names. Methods are
 * called on its event loop unless stated otherwise.
 */
public interface Connection extends DuplexChannel {
  /**
   * Returns a channel as a connection.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Connection of(Channel channel) {
    if (channel instanceof Connection connection) {
      return connection;
    }
    throw new IllegalArgumentException("no connection: " + channel);
  }

  /** Sizes its reads, and holds their reader. */
  BudgetedReceive receive();

  /** Handler between its pipeline and its socket; null if there is none. */
  @Nullable Protection protection();

  /** Sets the handler between its pipeline and its socket. */
  void protectBy(Protection protection);

  /** Whether the peer's end has arrived, perhaps after bytes that are not read yet. */
  default boolean hasEnded() {
    return false;
  }

  /**
   * Access to its socket, for the kernel to move bytes; null if this process must read and write
   * the bytes itself, or the connection is not open.
   */
  default @Nullable EpollRegistration spliceable() {
    return null;
  }

  /**
   * Ends the output cleanly after all that was written: with FIN, preceded by the last message of
   * its protection.
   */
  default ChannelFuture finishOutput() {
    Protection protection = protection();
    return protection == null ? FinishOutput.ofPlain(this) : protection.finishOutput();
  }

  /**
   * Whether {@link #closeInOrder} alone ends the output as well as {@link #finishOutput} before it
   * would.
   */
  default boolean isFinishedByClose() {
    ChannelOutboundBuffer pending = unsafe().outboundBuffer();
    boolean allWritten = pending == null || pending.isEmpty();
    return allWritten && protection() == null;
  }

  /**
   * Clears reset on close: when the connection is closed, written bytes are delivered, followed by
   * FIN.
   */
  default void disarm() {
    if (isOpen()) {
      try {
        config().setOption(ChannelOption.SO_LINGER, -1);
      } catch (ChannelException e) {
        // The connection failed meanwhile, and reports that itself.
      }
    }
  }

  /** Closes it without a reset. */
  default ChannelFuture closeInOrder() {
    disarm();
    return close();
  }

  /** Closes it with a reset, unless that was cleared: the peer must not take this for an end. */
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
   * Whether the peer has not answered for {@code limit}, although it should have; false if the
   * transport cannot tell.
   */
  default boolean isSilentFor(Duration limit) {
    TcpInfo info = tcpInfo();
    return info != null && info.silentFor(limit);
  }

  /**
   * The kernel's account; null if there is none, or no longer one. May be called from any thread.
   */
  default @Nullable TcpInfo tcpInfo() {
    return TcpInfo.of(this);
  }

  /** Whether it is a socket of its own, whose options can be set. */
  default boolean hasSocketOptions() {
    return true;
  }

  /** Bytes that it holds itself, besides those in the kernel. May be called from any thread. */
  default long heldBytes() {
    return 0;
  }

  /** Name of its congestion control; null if unknown. May be called from any thread. */
  default @Nullable String congestionControl() {
    return SocketTuning.congestionControlOf(this);
  }

  /** States of written bytes. */
  enum Delivery {
    /** The peer has acknowledged all. */
    DELIVERED,
    /** Some are not acknowledged. */
    PENDING,
    /** The connection has ended, and bytes that were not acknowledged are lost. */
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
