package io.cascade.relay.transport;

import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.EpollSocketChannel;

/**
 * Asks for a read, also of a connection whose reading had been stopped after its peer's FIN.
 *
 * <p>Such a connection has no event left that it waits for, so Netty 4.2 takes it out of epoll, but
 * still believes it to be there: the next read fails with ENOENT and closes it. A new registration
 * mends that.
 */
public final class Reading {
  private Reading() {}

  /**
   * On the connection's event loop.
   *
   * @param stopped whether the last read loop was stopped although there was more
   */
  public static void ask(Channel source, boolean stopped) {
    if (stopped && source instanceof EpollSocketChannel && source.isOpen()) {
      EventLoop loop = source.eventLoop();
      source.deregister().addListener(_ -> registerAnew(source, loop));
    } else {
      source.read();
    }
  }

  private static void registerAnew(Channel source, EventLoop loop) {
    if (source.isOpen()) {
      loop.register(source)
          .addListener(_ -> {
            source.read();
            source.flush(); // the wish to write was forgotten with the old registration
          });
    }
  }
}
