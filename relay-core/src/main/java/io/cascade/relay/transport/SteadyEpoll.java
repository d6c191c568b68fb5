package io.cascade.relay.transport;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.UnixChannel;
import io.netty.util.collection.IntObjectHashMap;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Netty's epoll, but what connections wait for is told to the kernel once a round, before it is
 * asked what happened.
 *
 * <p>Netty tells it at every change: ten calls for a short connection, most of which the next one
 * takes back. Here a connection tells it three times, or not at all where it ends within the round.
 *
 * <p>It also mends a gap: when a connection's last wish is withdrawn, as after the peer's FIN while
 * there is no room to read, Netty 4.2 removes it from epoll but goes on as if it were there, and
 * the next wish fails with ENOENT. And it lets a pump have a connection's readiness instead of
 * Netty, see {@link Readiness}.
 */
final class SteadyEpoll implements IoHandler {
  private static final ThreadLocal<@Nullable SteadyEpoll> OF_THIS_THREAD = new ThreadLocal<>();

  private final IoHandler epoll;
  private final ThreadAwareExecutor loop;
  private final IntObjectHashMap<Readiness> connections = new IntObjectHashMap<>();
  private final List<Readiness> changed = new ArrayList<>();
  private final ProcessorDemand demand = new ProcessorDemand();
  private final Workload workload = new Workload(System.nanoTime(), demand::nanos);

  private SteadyEpoll(IoHandler epoll, ThreadAwareExecutor loop) {
    this.epoll = epoll;
    this.loop = loop;
  }

  static IoHandlerFactory newFactory() {
    IoHandlerFactory factory = EpollIoHandler.newFactory();
    return new IoHandlerFactory() {
      @Override
      public IoHandler newHandler(ThreadAwareExecutor executor) {
        return new SteadyEpoll(factory.newHandler(executor), executor);
      }

      @Override
      public boolean isChangingThreadSupported() {
        return false; // nobody asked for it, and a thread knows its handler
      }
    };
  }

  /** Of a connection of this thread's event loop; null where the loop is not this kind. */
  static @Nullable Readiness readinessOf(UnixChannel connection) {
    SteadyEpoll here = OF_THIS_THREAD.get();
    return here == null ? null : here.connections.get(connection.fd().intValue());
  }

  @Override
  public void initialize() {
    OF_THIS_THREAD.set(this);
    epoll.initialize();
  }

  @Override
  public int run(IoHandlerContext context) {
    tellKernel();
    workload.rests(System.nanoTime());
    int handled = epoll.run(context);
    works();
    return handled;
  }

  @Override
  public void prepareToDestroy() {
    epoll.prepareToDestroy();
  }

  @Override
  public void destroy() {
    epoll.destroy();
    demand.close();
    KernelPipe.closeSpare();
    OF_THIS_THREAD.remove();
  }

  @Override
  public IoRegistration register(IoHandle handle) throws Exception {
    Readiness readiness = new Readiness(this, (EpollIoHandle) handle);
    readiness.registeredAs(epoll.register(readiness));
    connections.put(readiness.descriptor(), readiness);
    return readiness;
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
    if (workload.isResting()) {
      workload.works(System.nanoTime());
    }
  }

  /** Whether the loop has had no time to spare of late. */
  boolean isFull() {
    return workload.isFull();
  }

  /** Whether the loop has had much time to spare of late. */
  boolean isLight() {
    return workload.isLight();
  }

  /** What {@code readiness} waits for has changed. */
  void changed(Readiness readiness) {
    changed.add(readiness);
  }

  /** The connection is being closed. */
  void forget(Readiness readiness) {
    int descriptor = readiness.descriptor();
    if (connections.get(descriptor) == readiness) {
      connections.remove(descriptor);
    }
  }

  boolean isThisThread() {
    return loop.isExecutorThread(Thread.currentThread());
  }

  void execute(Runnable task) {
    loop.execute(task);
  }

  private void tellKernel() {
    // Telling may fail and so close a connection, which does not add to the list.
    for (int i = 0; i < changed.size(); i++) {
      changed.get(i).tellKernel();
    }
    changed.clear();
  }
}
