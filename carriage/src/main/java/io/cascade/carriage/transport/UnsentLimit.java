package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * Limit of what a connection takes that it cannot send yet: what waits beyond that waits with its
 * owner, where it is counted and bounded, and not in the kernel as well (TCP_NOTSENT_LOWAT,
 * tcp(7)).
 */
public final class UnsentLimit {
  /** Option of a socket on Linux. */
  public static final IntegerUnixChannelOption OPTION =
      new IntegerUnixChannelOption("TCP_NOTSENT_LOWAT", 6, 25);

  /** Usual limit: as much as one read brings, so that a write is seldom cut in two. */
  public static final int BYTES = 1 << 20;

  private static final int TEST_BYTES = 128 << 10;

  private UnsentLimit() {}

  /** Sets what every connection has until its stream says otherwise. */
  public static void set(Channel connection) {
    set(connection, BYTES);
  }

  /**
   * Sets the limit for a direction that is copied. It counts what it holds itself, and the kernel
   * takes no more than that beside it.
   *
   * @param held the most that the direction may hold
   */
  public static void copying(Channel sink, long held) {
    set(sink, (int) Math.min(held, BYTES));
  }

  /**
   * Sets the limit for a direction that is spliced, whose bytes are the kernel's wherever they
   * wait.
   *
   * @param held the most that the direction may hold
   */
  public static void splicing(Channel sink, long held) {
    set(sink, (int) Math.min(held, Integer.MAX_VALUE));
  }

  /**
   * Sets the limit for a throughput test: little, so that what is given to the kernel is about what
   * has been sent, and enough to keep it busy until the event loop's next turn.
   */
  public static void testing(Channel connection) {
    set(connection, TEST_BYTES);
  }

  private static void set(Channel connection, int bytes) {
    try {
      connection.config().setOption(OPTION, bytes);
    } catch (ChannelException e) {
      // It broke meanwhile, and reports that itself.
    }
  }
}
