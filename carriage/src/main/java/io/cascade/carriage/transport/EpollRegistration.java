package io.cascade.carriage.transport;

import io.netty.channel.IoEvent;
import io.netty.channel.IoRegistration;
import io.netty.channel.epoll.EpollIoEvent;
import io.netty.channel.epoll.EpollIoHandle;
import io.netty.channel.epoll.EpollIoOps;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.IovArray;
import java.io.UncheckedIOException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The registration of a socket with its event loop's epoll: the events it waits for, and their
 * receiver. That is its channel, unless a pump has taken over its reading or its writing.
 *
 * <p>All methods run on the event loop. The registration ends with its channel; a pump that has
 * taken over must check {@link #isOpen()} before each use of the descriptor, since another
 * connection soon gets its number.
 */
public final class EpollRegistration implements EpollIoHandle {
  static final int IN = EpollIoOps.EPOLLIN.value();
  static final int OUT = EpollIoOps.EPOLLOUT.value();
  static final int RDHUP = EpollIoOps.EPOLLRDHUP.value();

  /** Bits of an error, or of a connection that has ended; reported whether requested or not. */
  static final int BROKEN = EpollIoOps.EPOLLERR.value() | 0x10; // EPOLLHUP, which Netty leaves out

  private static final Logger LOG = Logger.getLogger(EpollRegistration.class.getName());
  private static final int ERR = EpollIoOps.EPOLLERR.value();
  private static final int READABLE = IN | RDHUP | BROKEN;
  private static final int NOTHING = EpollIoOps.EPOLLET.value();

  private final EpollSocket socket;
  private @Nullable BatchedEpoll epoll;
  private @Nullable IoRegistration registration;
  private int told;
  private boolean queued;
  private boolean ended;
  private @Nullable Reader reader;
  private @Nullable Runnable writer;
  private boolean readerWaits;
  private boolean writerWaits;

  /** Reader that has taken over a connection's reading. */
  @FunctionalInterface
  public interface Reader {
    /**
     * There are bytes to read, or an end.
     *
     * @param broken whether the connection has an error, which follows the bytes that can be read
     */
    void readable(boolean broken);
  }

  EpollRegistration(EpollSocket socket) {
    this.socket = socket;
  }

  /** The socket's number, for system calls. */
  public int descriptor() {
    return socket.fd().intValue();
  }

  /** Whether the descriptor still belongs to this connection. */
  public boolean isOpen() {
    return epoll != null && socket.isOpen();
  }

  /** Whether the peer's end has arrived, perhaps after bytes that are not read yet. */
  public boolean hasEnded() {
    return ended;
  }

  /** Whether the connection's event loop was busy recently. */
  public boolean isLoopBusy() {
    BatchedEpoll here = epoll;
    return here != null && here.isBusy();
  }

  /** Whether the connection's event loop was lightly loaded recently. */
  public boolean isLoopLight() {
    BatchedEpoll here = epoll;
    return here != null && here.isLight();
  }

  /** Takes over reading: {@code newReader} is called when there is something to read. */
  public void takeReading(Reader newReader) {
    reader = newReader;
    readerWaits = true;
    update();
  }

  /** Sets whether the reader waits for something to read; an error is reported in any case. */
  public void awaitReadable(boolean waits) {
    readerWaits = waits;
    update();
  }

  /** Returns reading to the channel, which continues where the reader stopped. */
  public void returnReading() {
    reader = null;
    update();
  }

  /** Takes over writing: {@code newWriter} is called when there is room to write, or an error. */
  public void takeWriting(Runnable newWriter) {
    writer = newWriter;
    writerWaits = false;
    update();
  }

  /** Sets whether the writer waits for room. */
  public void awaitWritable(boolean waits) {
    writerWaits = waits;
    update();
  }

  /** Returns writing to the channel. */
  public void returnWriting() {
    writer = null;
    update();
  }

  boolean isReadingTaken() {
    return reader != null;
  }

  boolean isWritingTaken() {
    return writer != null;
  }

  void tellReader(int ready) {
    Reader reads = reader;
    if (reads != null && isOpen() && (ready & READABLE) != 0) {
      reads.readable((ready & ERR) != 0);
    }
  }

  void tellWriter() {
    Runnable writes = writer;
    if (writes != null) {
      writes.run();
    }
  }

  /** Memory for the parts of one write; valid until the next call. */
  IovArray parts() {
    return epoll().parts();
  }

  /** Tells the kernel before the next wait, if more events are needed than it knows. */
  void update() {
    if ((wanted() & ~told) != 0) {
      queue();
    }
  }

  void registeredWith(BatchedEpoll withEpoll, IoRegistration asRegistration) {
    this.epoll = withEpoll;
    this.registration = asRegistration;
  }

  /** The socket is being closed, or moves to another event loop. */
  void end() {
    BatchedEpoll left = epoll;
    epoll = null;
    reader = null;
    writer = null;
    told = 0;
    if (queued && left != null && socket.isOpen()) {
      queued = false; // its next event loop is another thread
      left.forget(this);
    }
  }

  @Override
  public FileDescriptor fd() {
    return socket.fd();
  }

  @Override
  public void close() {
    socket.unsafe().close(socket.unsafe().voidPromise());
  }

  /**
   * Withdraws events that are no longer needed only when the kernel reports them: a connection that
   * ends soon saves that call, and most others need the event again soon.
   */
  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    BatchedEpoll here = epoll;
    if (here == null || told == 0) {
      return; // of the connection that had the number before
    }
    here.works();
    int ready = ((EpollIoEvent) event).ops().value();
    ended |= (ready & RDHUP) != 0;
    int unwanted = ready & ~wanted();
    socket.handle(ready);
    if (unwanted != 0) {
      queue();
    }
  }

  /** Tells the kernel once per round, and only changes. */
  void tellKernel() {
    queued = false;
    IoRegistration known = registration;
    if (epoll == null || known == null) {
      return;
    }
    int wanted = wanted();
    if (wanted == 0 && told != 0) {
      // It stays registered, edge-triggered: if it were removed, its next change would need another
      // call, and level-triggered, its errors and ends would keep the loop busy.
      wanted = NOTHING;
    }
    if (wanted == told) {
      return;
    }
    told = wanted;
    try {
      known.submit(EpollIoOps.valueOf(wanted));
    } catch (UncheckedIOException e) {
      LOG.log(Level.WARNING, "a connection cannot be watched: {0}", e.getMessage());
      close();
    }
  }

  private void queue() {
    BatchedEpoll here = epoll;
    if (!queued && here != null) {
      queued = true;
      here.changed(this);
    }
  }

  private int wanted() {
    int wanted = socket.interest();
    if (reader != null) {
      wanted = (wanted & ~(IN | RDHUP)) | (readerWaits ? IN | RDHUP : 0);
    }
    if (writer != null) {
      wanted = (wanted & ~OUT) | (writerWaits ? OUT : 0);
    }
    return wanted;
  }

  private BatchedEpoll epoll() {
    BatchedEpoll here = epoll;
    if (here == null) {
      throw new IllegalStateException("on no event loop");
    }
    return here;
  }
}
