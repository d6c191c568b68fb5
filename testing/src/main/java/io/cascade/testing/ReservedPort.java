package io.cascade.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP port of loopback that nobody listens on and that the kernel gives to nobody else:
 * connecting to it is refused until somebody binds it by its number, which needs SO_REUSEADDR, as
 * servers set it.
 *
 * <p>A port that was merely free a moment ago may be another process's by the time it is used. This
 * one is held by a socket that is bound and does not listen.
 */
public final class ReservedPort implements AutoCloseable {
  /** Keeps sockets from being collected, which would close them. */
  private static final Set<ReservedPort> KEPT = ConcurrentHashMap.newKeySet();

  private final Socket holder;

  private ReservedPort(Socket holder) {
    this.holder = holder;
  }

  /** Reserves one until it is closed. */
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

  /** Reserves one until this process ends. */
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
