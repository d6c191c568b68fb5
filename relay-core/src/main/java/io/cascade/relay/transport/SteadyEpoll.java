package io.cascade.relay.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Netty's epoll, without its gap for connections that wait for nothing.
 *
 * <p>When a connection's last wish is withdrawn, as after the peer's FIN while there is no room to
 * read, Netty 4.2 removes it from epoll but goes on as if it were there: the next wish, be it to
 * read on or to write to a slow peer, fails with ENOENT and ends the connection. Here such a
 * connection stays, edge-triggered and asking for nothing, so that neither that nor a busy loop
 * over an error can happen.
 */
final class SteadyEpoll implements IoHandler {
  private final IoHandler epoll;

  private SteadyEpoll(IoHandler epoll) {
    this.epoll = epoll;
  }

  static IoHandlerFactory newFactory() {
    IoHandlerFactory factory = EpollIoHandler.newFactory();
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new SteadyEpoll(factory.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return factory.isChangingThreadSupported();
      }
    };
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    return epoll.run(context);
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    return new Kept(epoll.register(handle));
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  /** A registration that is never without a wish once it had one. */
  private static final class Kept implements IoRegistration {
    private final IoRegistration registration;
    private boolean added;

    Kept(IoRegistration registration) {
      this.registration = registration;
    }

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // the interface's own shape
    public <T> T attachment() {
      return registration.attachment();
    }

    @Override
    public synchronized long submit(IoOps ops) {
      boolean nothing = EpollIoOps.NONE.equals(ops);
      added |= !nothing;
      return registration.submit(nothing && added ? EpollIoOps.EPOLLET : ops);
    }

    @Override
    public boolean isValid() {
      return registration.isValid();
    }

    @Override
    public boolean cancel() {
      return registration.cancel();
    }
  }
}
