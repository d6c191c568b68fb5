package io.cascade.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP port of loopback at which no process listens and which the kernel assigns to no other
 * socket: connecting to it is refused until a socket is bound to it by number, which needs
 * SO_REUSEADDR, as servers set it.
 *
 * <p>A port that was merely free a moment ago may belong to another process when it is used. This
 * one is held by a socket that is bound and does not listen.
 */
public final class ReservedPort implements AutoCloseable {
  /** Keeps sockets from being garbage-collected, which would close them. */
  private static final Set<ReservedPort> KEPT = ConcurrentHashMap.newKeySet();

  private final Socket holder;

  private ReservedPort(Socket holder) {
    this.holder = holder;
  }

  /** Reserves a port until it is closed. */
  public static ReservedPort take() {
    Socket holder = new Socket();
    try {
      holder.setReuseAddress(true);
      holder.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new ReservedPort(holder);
  }

  /** Reserves a port until this process ends. */
  public static int untilTheEnd() {
    ReservedPort port = take();
    KEPT.add(port);
    return port.number();
  }

  public int number() {
    return holder.getLocalPort();
  }

  @Override
  public void close() {
    try {
      holder.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
