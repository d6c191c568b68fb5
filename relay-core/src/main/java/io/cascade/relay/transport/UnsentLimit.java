package io.cascade.relay.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * How much a connection takes that it cannot send yet: what waits beyond that waits with its owner,
 * where it is counted and bounded, and not in the kernel as well (TCP_NOTSENT_LOWAT, tcp(7)).
 */
public final class UnsentLimit {
  /** Of a socket of Linux's. */
  public static final IntegerUnixChannelOption OPTION =
      new IntegerUnixChannelOption("TCP_NOTSENT_LOWAT", 6, 25);

  /** As much as one read brings, so that a write is seldom cut in two. */
  public static final int BYTES = 1 << 20;

  private static final int NONE = Integer.MAX_VALUE; // 0 were the system's, which may be lower

  private UnsentLimit() {}

  /** There is none but the send buffer. */
  public static void lift(Channel connection) {
    set(connection.config(), NONE);
  }

  /** There is one again. */
  public static void restore(Channel connection) {
    set(connection.config(), BYTES);
  }

  private static void set(ChannelConfig config, int bytes) {
    try {
      config.setOption(OPTION, bytes);
    } catch (ChannelException e) {
      // It broke meanwhile, and tells that itself.
    }
  }
}
