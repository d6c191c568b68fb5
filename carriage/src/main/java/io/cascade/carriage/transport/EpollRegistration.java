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
 * The registration of a socket with its event loop's epoll: which events it waits for, and who is
 * told of them. That is its channel, unless a pump has taken over its reading or its writing.
 *
 * <p>Everything runs on the event loop. Ends with its channel; whoever has taken something over
 * must look at {@link #isOpen()} before each use of the descriptor, for its number soon belongs to
 * another connection.
 */
public final class EpollRegistration implements EpollIoHandle {
  static final int IN = EpollIoOps.EPOLLIN.value();
  static final int OUT = EpollIoOps.EPOLLOUT.value();
  static final int RDHUP = EpollIoOps.EPOLLRDHUP.value();

  /** Bits of an error, or of a connection that is no more; told whether asked for or not. */
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
     * There is something to read, or an end.
     *
     * @param broken whether the connection has an error, which stands behind what can be read
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

  /** Whether the descriptor is still this connection's. */
  public boolean isOpen() {
    return epoll != null && socket.isOpen();
  }

  /** Whether the peer's end has come, perhaps behind bytes that are not read yet. */
  public boolean hasEnded() {
    return ended;
  }

  /** Whether the connection's event loop has been busy of late. */
  public boolean isLoopBusy() {
    BatchedEpoll here = epoll;
    return here != null && here.isBusy();
  }

  /** Whether the connection's event loop has had much time to spare of late. */
  public boolean isLoopLight() {
    BatchedEpoll here = epoll;
    return here != null && here.isLight();
  }

  /** Tells {@code newReader} from now on when there is something to read. */
  public void takeReading(Reader newReader) {
    reader = newReader;
    readerWaits = true;
    update();
  }

  /** Whether the reader waits for something to read; an error is told in any case. */
  public void awaitReadable(boolean waits) {
    readerWaits = waits;
    update();
  }

  /** The channel reads again, from where the reader stopped. */
  public void returnReading() {
    reader = null;
    update();
  }

  /** Tells {@code newWriter} from now on when there is room to write, or an error. */
  public void takeWriting(Runnable newWriter) {
    writer = newWriter;
    writerWaits = false;
    update();
  }

  /** Whether the writer waits for room. */
  public void awaitWritable(boolean waits) {
    writerWaits = waits;
    update();
  }

  /** The channel writes again. */
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

  /** Memory for the parts of one write; good until the next call. */
  IovArray parts() {
    return epoll().parts();
  }

  /** Tells the kernel before the next wait, where more is waited for than it knows. */
  void update() {
    if ((wanted() & ~told) != 0) {
      queue();
    }
  }

  void registeredWith(BatchedEpoll withEpoll, IoRegistration asRegistration) {
    this.epoll = withEpoll;
    this.registration = asRegistration;
  }

  /** The socket is being closed, or leaves for another event loop. */
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
   * Takes back what is not waited for any more, only now that the kernel tells it: a connection
   * that ends soon spares that call, and most that wait for something else do so again soon.
   */
  @Override
  public void handle(IoRegistration ignored, IoEvent event) {
    BatchedEpoll here = epoll;
    if (here == null || told == 0) {
      return; // of the connection that had the number until a moment ago
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

  /** Tells the kernel once a round, and only where something has changed. */
  void tellKernel() {
    queued = false;
    IoRegistration known = registration;
    if (epoll == null || known == null) {
      return;
    }
    int wanted = wanted();
    if (wanted == 0 && told != 0) {
      // It stays, edge-triggered: removed, it would not be there for its next wish, and
      // level-triggered, its errors and ends would keep the loop busy.
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
