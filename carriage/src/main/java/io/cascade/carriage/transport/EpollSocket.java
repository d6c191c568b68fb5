package io.cascade.carriage.transport;

import io.netty.channel.AbstractChannel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelId;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPipeline;
import io.netty.channel.EventLoop;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoRegistration;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.NotYetConnectedException;
import org.jspecify.annotations.Nullable;

/**
 * A TCP socket as a Netty channel: Netty's pipelines, buffers and event loops above, {@link
 * BatchedEpoll} and system calls below. Netty's own classes for that cannot be extended, make twice
 * as many system calls for a short connection, and read without a request when a peer's end
 * arrives.
 */
abstract sealed class EpollSocket extends AbstractChannel implements UnixChannel
    permits EpollConnection, EpollListener {
  private static final ChannelMetadata METADATA = new ChannelMetadata(false);

  private final TcpDescriptor descriptor;
  private final EpollOptions options;
  private final EpollRegistration epoll;
  private @Nullable IoRegistration registration;
  private boolean readWanted;

  /**
   * @param parent of an accepted connection
   */
  EpollSocket(
      @Nullable EpollListener parent, TcpDescriptor descriptor, RecvByteBufAllocator receive) {
    super(parent);
    this.descriptor = descriptor;
    this.options = new EpollOptions(this, receive);
    this.epoll = new EpollRegistration(this);
  }

  /** Events that it waits for, as epoll's bits. */
  abstract int interest();

  /** Epoll reports {@code ready}. */
  abstract void handle(int ready);

  @Override
  public final TcpDescriptor fd() {
    return descriptor;
  }

  @Override
  public final EpollOptions config() {
    return options;
  }

  @Override
  public final ChannelMetadata metadata() {
    return METADATA;
  }

  @Override
  public final boolean isOpen() {
    return descriptor.isOpen();
  }

  final EpollRegistration epoll() {
    return epoll;
  }

  /** Whether a read was requested that has not brought anything yet. */
  final boolean isReadWanted() {
    return readWanted;
  }

  /** The requested read has brought something. */
  final void readDone() {
    readWanted = false;
  }

  /** Ends reading for good. May be called from any thread. */
  final void stopReading() {
    if (isRegistered() && !eventLoop().inEventLoop()) {
      eventLoop().execute(this::stopReading);
    } else if (!options.isAutoRead()) {
      readWanted = false;
    }
  }

  final ChannelFuture shutDown(boolean input, boolean output, ChannelPromise promise) {
    if (!eventLoop().inEventLoop()) {
      eventLoop().execute(() -> shutDown(input, output, promise));
      return promise;
    }
    try {
      fd().shutdown(input, output);
      promise.setSuccess();
    } catch (IOException | NotYetConnectedException e) {
      promise.setFailure(e);
    }
    return promise;
  }

  @Override
  protected final DefaultChannelPipeline newChannelPipeline() {
    return new ConnectionPipeline(this);
  }

  @Override
  protected final ChannelId newId() {
    return ConnectionId.next();
  }

  @Override
  protected final boolean isCompatible(EventLoop loop) {
    return loop instanceof IoEventLoop io && io.isCompatible(EpollRegistration.class);
  }

  @Override
  protected final void doRegister(ChannelPromise promise) {
    ((IoEventLoop) eventLoop())
        .register(epoll)
        .addListener(registered -> {
          if (registered.isSuccess()) {
            registration = (IoRegistration) registered.getNow();
            epoll.update();
            promise.setSuccess();
          } else {
            promise.setFailure(registered.cause());
          }
        });
  }

  @Override
  protected final void doDeregister() {
    IoRegistration registered = registration;
    if (registered != null) {
      registration = null;
      epoll.end();
      registered.cancel();
    }
  }

  @Override
  protected final void doBeginRead() {
    readWanted = true;
    epoll.update();
  }

  @Override
  protected void doClose() throws IOException {
    descriptor.close();
    doDeregister();
  }

  @Override
  protected final void doDisconnect() throws IOException {
    doClose();
  }

  @Override
  protected @Nullable SocketAddress localAddress0() {
    return isOpen() ? descriptor.localAddress() : null; // the number may be another's
  }
}
