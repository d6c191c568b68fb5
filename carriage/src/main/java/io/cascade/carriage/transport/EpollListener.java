package io.cascade.carriage.transport;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.ServerChannel;
import io.netty.channel.ServerChannelRecvByteBufAllocator;
import io.netty.channel.unix.NativeInetAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** A listening socket; its pipeline receives the connections that it accepts. */
final class EpollListener extends EpollSocket implements ServerChannel {
  /** Bytes of a length, and of an IPv6 address with its scope and port. */
  private static final int ADDRESS_BYTES = 25;

  /** Fewer would cost more rounds, and more would delay other work: docs/how/data-plane.md. */
  private static final int MOST_IN_A_ROUND = 4;

  private final byte[] peer = new byte[ADDRESS_BYTES];
  private final int backlog;
  private volatile @Nullable InetSocketAddress bound;

  private EpollListener(TcpDescriptor descriptor, int backlog) {
    super(null, descriptor, new ServerChannelRecvByteBufAllocator());
    this.backlog = backlog;
  }

  /** Makes one that is to be bound to {@code at}. */
  static EpollListener at(SocketAddress at, int backlog) {
    return new EpollListener(TcpDescriptor.at(at), backlog);
  }

  /** Makes one of a socket that already listens. */
  static EpollListener of(int descriptor) {
    EpollListener listener = new EpollListener(new TcpDescriptor(descriptor), 0);
    listener.bound = listener.fd().localAddress();
    return listener;
  }

  /**
   * Address at which its connections are accepted; null if it listens at all addresses, so that
   * each connection must be asked.
   */
  @Nullable InetSocketAddress address() {
    InetSocketAddress address = bound;
    return address == null || address.getAddress().isAnyLocalAddress() ? null : address;
  }

  @Override
  public boolean isActive() {
    return isOpen() && bound != null;
  }

  @Override
  int interest() {
    return isReadWanted() ? EpollRegistration.IN : 0;
  }

  /**
   * Accepts a few per round, since other work waits; the kernel reports at once if there are more.
   */
  @Override
  void handle(int ready) {
    if (!isReadWanted()) {
      return;
    }
    readDone();
    Throwable failure = null;
    try {
      EpollConnection accepted = accept();
      for (int number = 1; accepted != null; number++) {
        pipeline().fireChannelRead(accepted);
        boolean mayMore = number < MOST_IN_A_ROUND && config().isAutoRead() && isOpen();
        accepted = mayMore ? accept() : null;
      }
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      failure = e;
    }
    pipeline().fireChannelReadComplete();
    if (failure != null) {
      pipeline().fireExceptionCaught(failure);
    }
    epoll().update();
  }

  private @Nullable EpollConnection accept() throws IOException {
    int number = fd().accept(peer);
    if (number < 0) {
      return null;
    }
    TcpDescriptor descriptor = new TcpDescriptor(number);
    try {
      return new EpollConnection(this, descriptor, NativeInetAddress.address(peer, 1, peer[0]));
    } catch (RuntimeException | OutOfMemoryError e) {
      descriptor.close();
      throw e;
    }
  }

  @Override
  protected void doBind(SocketAddress at) throws IOException {
    fd().bind(at);
    fd().listen(backlog);
    bound = fd().localAddress();
  }

  /**
   * Another process may hold the socket, too; then closing it would leave it in this process's
   * epoll.
   */
  @Override
  protected void doClose() throws IOException {
    doDeregister();
    super.doClose();
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    return bound;
  }

  @Override
  protected @Nullable SocketAddress remoteAddress0() {
    return null;
  }

  @Override
  protected AbstractUnsafe newUnsafe() {
    return new AbstractUnsafe() {
      @Override
      public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
        promise.setFailure(new UnsupportedOperationException("connect of a listening socket"));
      }
    };
  }

  @Override
  protected void doWrite(ChannelOutboundBuffer written) {
    throw new UnsupportedOperationException("write to a listening socket");
  }
}
