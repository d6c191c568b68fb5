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
 * Netty's epoll with batched changes: the kernel is told once per round, right before {@code
 * epoll_wait}, which events connections wait for.
 *
 * <p>Netty makes a system call for every change: ten for a short connection, most of which the next
 * one undoes. Here a connection causes three, or none if it ends within the round.
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
        return false; // not needed, and a thread knows its handler
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
   * Closes all descriptors first. An event loop without a quiet period that is told to end while it
   * runs tasks ends without {@link #prepareToDestroy}, and its sockets would stay open; a peer over
   * UDP would not learn that the port is closed.
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
    if (handle instanceof EpollRegistration ours) { // and not one of Netty's own registrations
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

  /** A connection has work, or the round is over. */
  void works() {
    if (utilization.isResting()) {
      utilization.works(System.nanoTime());
    }
  }

  /** Whether the loop was busy recently. */
  boolean isBusy() {
    return utilization.isBusy();
  }

  /** Whether the loop was lightly loaded recently. */
  boolean isLight() {
    return utilization.isLight();
  }

  /** Records that {@code of} waits for other events. */
  void changed(EpollRegistration of) {
    changed.add(of);
  }

  /** Cancels pending changes of {@code left}. Must not be called while the kernel is being told. */
  void forget(EpollRegistration left) {
    changed.remove(left);
  }

  /** Memory for the parts of one write; valid until the next call. */
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
    // A change may fail and so close a connection, which may add others to the list.
    for (int i = 0; i < changed.size(); i++) {
      changed.get(i).tellKernel();
    }
    changed.clear();
  }
}
