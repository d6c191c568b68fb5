package io.cascade.carriage.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.unix.IntegerUnixChannelOption;

/**
 * Limit of the unsent bytes that a connection accepts. Bytes beyond it wait with their owner, which
 * counts and bounds them, and not in the kernel as well (TCP_NOTSENT_LOWAT, tcp(7)).
 */
public final class UnsentLimit {
  /** The socket option on Linux. */
  public static final IntegerUnixChannelOption OPTION =
      new IntegerUnixChannelOption("TCP_NOTSENT_LOWAT", 6, 25);

  /** Usual limit: as much as one read brings, so that a write is seldom split. */
  public static final int BYTES = 1 << 20;

  private static final int TEST_BYTES = 128 << 10;

  private UnsentLimit() {}

  /**
   * Sets the initial limit of every connection, which applies until its stream sets another one.
   */
  public static void set(Channel connection) {
    set(connection, BYTES);
  }

  /**
   * Sets the limit for a direction that is copied. It counts what it holds itself, and the kernel
   * accepts no more than that besides.
   *
   * @param held most bytes that the direction may hold
   */
  public static void copying(Channel sink, long held) {
    set(sink, (int) Math.min(held, BYTES));
  }

  /**
   * Sets the limit for a direction that is spliced, whose bytes are in the kernel wherever they
   * wait.
   *
   * @param held most bytes that the direction may hold
   */
  public static void splicing(Channel sink, long held) {
    set(sink, (int) Math.min(held, Integer.MAX_VALUE));
  }

  /**
   * Sets the limit for a throughput test: small, so that the bytes written to the kernel are about
   * those sent, but enough to keep it busy until the event loop's next turn.
   */
  public static void testing(Channel connection) {
    set(connection, TEST_BYTES);
  }

  private static void set(Channel connection, int bytes) {
    try {
      connection.config().setOption(OPTION, bytes);
    } catch (ChannelException e) {
      // The connection failed meanwhile, and reports that itself.
    }
  }
}
