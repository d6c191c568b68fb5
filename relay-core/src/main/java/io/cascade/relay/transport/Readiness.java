package io.cascade.relay.transport;

import io.netty.channel.Channel;
import io.netty.channel.IoEvent;
import io.netty.channel.IoOps;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import java.io.UncheckedIOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * What one connection waits for and whom it tells: Netty, unless a pump has taken over its reading
 * or its writing for a while.
 *
 * <p>Stands between Netty's channel and Netty's epoll, as a handle to the one and as a registration
 * to the other. Everything runs on the event loop. Ends with its channel; whoever has taken
 * something over must look at {@link #isOpen()} before each use of the descriptor, for its number
 * soon belongs to another connection.
 */
public final class Readiness implements EpollIoHandle, IoRegistration {
  private static final Logger LOG = Logger.getLogger(Readiness.class.getName());
  private static final int IN = EpollIoOps.EPOLLIN.value();
  private static final int OUT = EpollIoOps.EPOLLOUT.value();
  private static final int ERR = EpollIoOps.EPOLLERR.value();
  private static final int RDHUP = EpollIoOps.EPOLLRDHUP.value();
  private static final int HUP = 0x10; // always told, and Netty has no name for it
  private static final int READABLE = IN | RDHUP | ERR | HUP;

  private final SteadyEpoll epoll;
  private final EpollIoHandle netty;
  private @Nullable IoRegistration registration;
  private EpollIoOps wantedByNetty = EpollIoOps.NONE;
  private int told;
  private boolean queued;
  private boolean open = true;
  private boolean leaving;
  private boolean ended;
  private @Nullable Reader reader;
  private @Nullable Runnable writer;
  private boolean readerWaits;
  private boolean writerWaits;

  /** Who has taken over a connection's reading. */
  @FunctionalInterface
  public interface Reader {
    /**
     * There is something to read, or an end.
     *
     * @param broken whether the connection has an error, which stands behind what can be read
     */
    void readable(boolean broken);
  }

  Readiness(SteadyEpoll epoll, EpollIoHandle netty) {
    this.epoll = epoll;
    this.netty = netty;
  }

  /** Of a connection of this thread's event loop; null where its transport is not epoll. */
  public static @Nullable Readiness of(Channel connection) {
    return connection instanceof EpollSocketChannel socket ? SteadyEpoll.readinessOf(socket) : null;
  }

  /** The socket's number, for system calls. */
  public int descriptor() {
    return netty.fd().intValue();
  }

  /** Whether the descriptor is still this connection's. */
  public boolean isOpen() {
    return open && netty.fd().isOpen();
  }

  /** Whether the peer's end has come, perhaps behind bytes that are not read yet. */
  public boolean hasEnded() {
    return ended;
  }

  /** Whether the connection's event loop has had no time to spare of late. */
  public boolean isLoopFull() {
    return epoll.isFull();
  }

  /** Whether the connection's event loop has had much time to spare of late. */
  public boolean isLoopLight() {
    return epoll.isLight();
  }

  /** From now on {@code newReader} hears what there is to read. */
  public void takeReading(Reader newReader) {
    reader = newReader;
    readerWaits = true;
    queue();
  }

  /** Whether the reader waits for something to read; an error is told in any case. */
  public void awaitReadable(boolean waits) {
    if (readerWaits != waits) {
      readerWaits = waits;
      queue();
    }
  }

  /** Netty reads again, from where the reader stopped. */
  public void returnReading() {
    reader = null;
    queue();
  }

  /** From now on {@code newWriter} hears that there is room to write, or an error. */
  public void takeWriting(Runnable newWriter) {
    writer = newWriter;
    writerWaits = false;
    queue();
  }

  /** Whether the writer waits for room. */
  public void awaitWritable(boolean waits) {
    if (writerWaits != waits) {
      writerWaits = waits;
      queue();
    }
  }

  /** Netty writes again. */
  public void returnWriting() {
    writer = null;
    queue();
  }

  void registeredAs(IoRegistration asRegistration) {
    this.registration = asRegistration;
  }

  @Override
  public FileDescriptor fd() {
    return leaving ? new Leaving(descriptor()) : netty.fd();
  }

  @Override
  public void registered() {
    netty.registered();
  }

  @Override
  public void unregistered() {
    netty.unregistered();
  }

  @Override
  public void close() throws Exception {
    netty.close();
  }

  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    epoll.works();
    int ready = ((EpollIoEvent) event).ops().value();
    ended |= (ready & RDHUP) != 0;
    if (reader == null && writer == null) {
      netty.handle(this, event);
    } else {
      share(ready);
    }
  }

  @Override
  @SuppressWarnings("TypeParameterUnusedInFormals") // the interface's own shape
  public <T> T attachment() {
    return underlying().attachment();
  }

  @Override
  public long submit(IoOps ops) {
    if (!open) {
      return -1;
    }
    if (!epoll.isThisThread()) {
      epoll.execute(() -> submit(ops));
      return 0;
    }
    wantedByNetty = (EpollIoOps) ops;
    queue();
    return wantedByNetty.value();
  }

  @Override
  public boolean isValid() {
    return underlying().isValid();
  }

  @Override
  public boolean cancel() {
    open = false;
    // Netty cancels to close. Listening sockets may be another process's as well, and stay then.
    leaving = netty instanceof Channel.Unsafe unsafe && unsafe.remoteAddress() != null;
    reader = null;
    writer = null;
    epoll.forget(this);
    return underlying().cancel();
  }

  /** Once a round, and only where something has changed. */
  void tellKernel() {
    queued = false;
    int wanted = wanted();
    if (!open || wanted == told) {
      return;
    }
    told = wanted;
    try {
      underlying().submit(EpollIoOps.valueOf(wanted));
    } catch (UncheckedIOException e) {
      LOG.log(Level.WARNING, "a connection cannot be watched: {0}", e.getMessage());
      closeUnwatched();
    }
  }

  private void closeUnwatched() {
    try {
      netty.close();
    } catch (Exception e) {
      LOG.log(Level.WARNING, "a connection that cannot be watched did not close", e);
    }
  }

  private void queue() {
    if (!queued && open) {
      queued = true;
      epoll.changed(this);
    }
  }

  /**
   * A connection that waits for nothing stays, edge-triggered: removed, it would not be there for
   * its next wish, and level-triggered, its errors and ends would keep the loop busy.
   */
  private int wanted() {
    int wanted = wantedByNetty.value();
    if (reader != null) {
      wanted = (wanted & ~(IN | RDHUP)) | (readerWaits ? IN | RDHUP : 0);
    }
    if (writer != null) {
      wanted = (wanted & ~OUT) | (writerWaits ? OUT : 0);
    }
    return wanted == 0 && told != 0 ? EpollIoOps.EPOLLET.value() : wanted;
  }

  /** Room first, then what Netty still sees to, then reading: the order of Netty's own. */
  private void share(int ready) {
    Runnable writes = writer;
    int forNetty = 0;
    if (writes == null) {
      forNetty |= (ready & OUT) | ((ready & ERR) != 0 ? OUT : 0);
    } else if ((ready & (OUT | ERR | HUP)) != 0) {
      writes.run();
    }
    if (reader == null) {
      forNetty |= (ready & (IN | RDHUP)) | ((ready & ERR) != 0 ? IN : 0);
    }
    if (forNetty != 0 && open) {
      netty.handle(this, new Ready(EpollIoOps.valueOf(forNetty)));
    }
    Reader reads = reader;
    if (reads != null && open && (ready & READABLE) != 0) {
      reads.readable((ready & ERR) != 0);
    }
  }

  private IoRegistration underlying() {
    IoRegistration known = registration;
    if (known == null) {
      throw new IllegalStateException("not registered");
    }
    return known;
  }

  private record Ready(EpollIoOps ops) implements EpollIoEvent {}

  /** A descriptor that is closed next, which takes it out of epoll without a call of its own. */
  private static final class Leaving extends FileDescriptor {
    Leaving(int number) {
      super(number);
    }

    @Override
    public boolean isOpen() {
      return false;
    }
  }
}
