package io.cascade.carriage.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.IovArray;
import io.netty.channel.unix.Limits;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's epoll with batched changes: what connections wait for is told to the kernel once a round,
 * right before {@code epoll_wait}.
 *
 * <p>Netty makes a system call at every change: ten for a short connection, most of which the next
 * one takes back. Here a connection causes three, or none where it ends within the round.
 */
final class BatchedEpoll implements IoHandler {
  private final IoHandler epoll;
  private final List<EpollRegistration> changed = new ArrayList<>();
  private final ProcessorDemand demand = new ProcessorDemand();
  private final LoopUtilization utilization = new LoopUtilization(System.nanoTime(), demand::nanos);

  private @Nullable IovArray parts;

  private BatchedEpoll(IoHandler epoll) {
    this.epoll = epoll;
  }

  static IoHandlerFactory newFactory() {
    IoHandlerFactory factory = EpollIoHandler.newFactory();
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new BatchedEpoll(factory.newHandler(executor));
      }

      @Override
      public boolean isChangingThreadSupported() {
        return false; // nobody asked for it, and a thread knows its handler
      }
    };
  }

  @Override
  public void initialize() {
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    tellKernel();
    utilization.rests(System.nanoTime());
    int handled = epoll.run(context);
    works();
    return handled;
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  /**
   * Closes all descriptors first: an event loop without a quiet period that is told to end while it
   * runs tasks ends without {@link #prepareToDestroy}, and its sockets would stay open. A peer over
   * UDP would not be told that nobody has the port.
   */
  @Override
  public void destroy() {
    epoll.prepareToDestroy();
    epoll.destroy();
    demand.close();
    KernelPipe.closeSpare();
    if (parts != null) {
      parts.release();
    }
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    IoRegistration registration = epoll.register(handle);
    if (handle instanceof EpollRegistration ours) { // and not one of Netty's own, of other sockets
      ours.registeredWith(this, registration);
    }
    return registration;
  }

  @Override
  public void wakeup() {
    epoll.wakeup();
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return epoll.isCompatible(handleType);
  }

  /** A connection has something to do, or the round is over. */
  void works() {
    if (utilization.isResting()) {
      utilization.works(System.nanoTime());
    }
  }

  /** Whether the loop has been busy of late. */
  boolean isBusy() {
    return utilization.isBusy();
  }

  /** Whether the loop has had much time to spare of late. */
  boolean isLight() {
    return utilization.isLight();
  }

  /** Notes that {@code of} waits for other events. */
  void changed(EpollRegistration of) {
    changed.add(of);
  }

  /** Tells the kernel nothing of {@code left} any more. Not while it is being told. */
  void forget(EpollRegistration left) {
    changed.remove(left);
  }

  /** Memory for the parts of one write; good until the next call. */
  IovArray parts() {
    IovArray array = parts;
    if (array == null) {
      array = new IovArray(Limits.IOV_MAX);
      parts = array;
    }
    array.clear();
    return array;
  }

  private void tellKernel() {
    // Telling may fail and so close a connection, whose end may add others to the list.
    for (int i = 0; i < changed.size(); i++) {
      changed.get(i).tellKernel();
    }
    changed.clear();
  }
}
