package io.cascade.client.sealed;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.ForwardingConnection;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.ReentrantLock;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS 1.3 over another connection, which stays blocking: one thread may read while another one
 * writes. An end of the input that the peer did not seal is a failure, {@link EOFException}, for
 * anybody on the way could have made it. Closing tells the peer nothing: that is {@link
 * #shutdownOutput}.
 */
public final class SealedConnection extends ForwardingConnection {
  /** Content of a record, at most (RFC 8446 section 5.1). */
  private static final int RECORD_BYTES = 1 << 14;

  /** Records that are written at once. */
  private static final int RECORDS = 4;

  private final SSLEngine engine;

  private final ReentrantLock reading = new ReentrantLock();

  /** What was read and is not opened yet; always ready to be read from. Of the reader. */
  private final ByteBuffer sealed;

  /** What was opened and did not fit; always ready to be read from. Of the reader. */
  private ByteBuffer opened = ByteBuffer.allocate(0);

  private boolean inputEnded;

  private final ReentrantLock writing = new ReentrantLock();

  /** Used by the writer only. */
  private final ByteBuffer out;

  /**
   * What is to be sealed, where it lies outside the heap: the JDK seals arrays several times as
   * fast. Of the writer.
   */
  private final ByteBuffer plain = ByteBuffer.allocate(RECORD_BYTES);

  private SealedConnection(ByteConnection under, SSLEngine engine) {
    super(under);
    this.engine = engine;
    int record = engine.getSession().getPacketBufferSize();
    this.sealed = ByteBuffer.allocate(RECORDS * record).limit(0);
    this.out = ByteBuffer.allocate(RECORDS * record);
  }

  /** Something that is done once, before anything is read. */
  @FunctionalInterface
  interface BeforeReading {
    void run() throws IOException;
  }

  /**
   * Seals a connection; waits for the handshake.
   *
   * @param before done once this end has begun TLS
   * @throws IOException where the connection broke, or the peer is another one
   */
  static SealedConnection over(ByteConnection under, SSLEngine engine, BeforeReading before)
      throws IOException {
    SealedConnection made = new SealedConnection(under, engine);
    engine.beginHandshake();
    made.handshake(before);
    return made;
  }

  /**
   * Makes the sender's first flight, and sends nothing yet: that is {@link #handshake}. Its key
   * takes a new process long, and can be made while something else is on the way.
   */
  static SealedConnection begun(ByteConnection under, SSLEngine engine) throws IOException {
    SealedConnection made = new SealedConnection(under, engine);
    engine.beginHandshake();
    made.wrap(ByteBuffer.allocate(0));
    return made;
  }

  /**
   * Waits for the handshake; once.
   *
   * @param before done once this end has begun TLS
   * @throws IOException where the connection broke, or the peer is another one
   */
  void handshake(BeforeReading before) throws IOException {
    Channels.writeFully(under(), out.flip()); // The first flight, where it is made already.
    @Nullable BeforeReading waiting = before;
    while (true) {
      switch (engine.getHandshakeStatus()) {
        case NEED_WRAP -> flush();
        case NEED_TASK -> runTasks();
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
          if (waiting != null) {
            waiting.run();
            waiting = null;
          }
          ByteBuffer none = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
          if (unwrap(none) < 0) {
            throw new EOFException("ended within the handshake");
          }
          keep(none.flip());
        }
        case NOT_HANDSHAKING, FINISHED -> {
          return;
        }
      }
    }
  }

  /** The peer may say something right behind its handshake. */
  private void keep(ByteBuffer more) {
    if (more.hasRemaining()) {
      opened = more;
    }
  }

  private void runTasks() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    reading.lock();
    try {
      if (!into.hasRemaining()) {
        return 0;
      }
      if (!opened.hasRemaining() && !inputEnded) {
        int before = into.position();
        while (into.position() == before && !opened.hasRemaining()) {
          if ((into.isDirect() ? unwrapKept() : unwrap(into)) < 0) {
            return -1;
          }
          afterUnwrap();
        }
        if (into.position() > before) {
          return into.position() - before;
        }
      }
      if (!opened.hasRemaining()) {
        return -1;
      }
      int bytes = Math.min(opened.remaining(), into.remaining());
      into.put(opened.slice(opened.position(), bytes));
      opened.position(opened.position() + bytes);
      return bytes;
    } finally {
      reading.unlock();
    }
  }

  /** Opens one record into {@link #opened}: the JDK opens arrays several times as fast. */
  private int unwrapKept() throws IOException {
    int most = engine.getSession().getApplicationBufferSize();
    ByteBuffer one = opened.capacity() >= most ? opened.clear() : ByteBuffer.allocate(most);
    try {
      return unwrap(one);
    } finally {
      opened = one.flip();
    }
  }

  /**
   * Opens one record, into what is given or {@link #opened}.
   *
   * @return -1 where the peer ended its output
   */
  private int unwrap(ByteBuffer into) throws IOException {
    while (true) {
      SSLEngineResult result = engine.unwrap(sealed, into);
      switch (result.getStatus()) {
        case OK -> {
          return 0;
        }
        case CLOSED -> {
          inputEnded = true;
          return -1;
        }
        case BUFFER_OVERFLOW -> {
          ByteBuffer one = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
          if (into.remaining() >= one.capacity()) {
            throw new SSLException("a record is too long");
          }
          int status = unwrap(one);
          keep(one.flip());
          return status;
        }
        case BUFFER_UNDERFLOW -> fill();
      }
    }
  }

  private void fill() throws IOException {
    sealed.compact();
    try {
      if (!sealed.hasRemaining()) {
        throw new SSLException("a record is too long");
      }
      if (under().read(sealed) < 0) {
        throw new EOFException("cut off on the way");
      }
    } finally {
      sealed.flip();
    }
  }

  /** The peer may have changed its key and want this end to change its own. */
  private void afterUnwrap() throws IOException {
    HandshakeStatus status = engine.getHandshakeStatus();
    if (status == HandshakeStatus.NEED_TASK) {
      runTasks();
      status = engine.getHandshakeStatus();
    }
    // A writer that is at it sends it with its next record.
    if (status == HandshakeStatus.NEED_WRAP && writing.tryLock()) {
      try {
        flush();
      } finally {
        writing.unlock();
      }
    }
  }

  /** Writes what TLS itself has to say. Of the writer. */
  private void flush() throws IOException {
    wrap(ByteBuffer.allocate(0));
    Channels.writeFully(under(), out.flip());
  }

  /** Waits until at least a part was written. */
  @Override
  public int write(ByteBuffer from) throws IOException {
    writing.lock();
    try {
      int before = from.remaining();
      do {
        wrap(from);
        Channels.writeFully(under(), out.flip());
      } while (from.remaining() == before && before > 0);
      return before - from.remaining();
    } finally {
      writing.unlock();
    }
  }

  /** Fills {@link #out} with records. */
  private void wrap(ByteBuffer from) throws IOException {
    out.clear();
    int record = engine.getSession().getPacketBufferSize();
    do {
      SSLEngineResult result = engine.wrap(onHeap(from), out);
      if (from.isDirect()) {
        from.position(from.position() + result.bytesConsumed());
      }
      if (result.getStatus() == SSLEngineResult.Status.CLOSED && result.bytesProduced() == 0) {
        throw new ClosedChannelException();
      }
      if (result.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
        runTasks();
      }
    } while (from.hasRemaining() && out.remaining() >= record);
  }

  /** The next record's content. */
  private ByteBuffer onHeap(ByteBuffer from) {
    if (!from.isDirect()) {
      return from;
    }
    int bytes = Math.min(from.remaining(), RECORD_BYTES);
    plain.clear().put(0, from, from.position(), bytes).limit(bytes);
    return plain;
  }

  @Override
  public void shutdownOutput() throws IOException {
    writing.lock();
    try {
      if (!engine.isOutboundDone()) {
        engine.closeOutbound();
        flush();
      }
      under().shutdownOutput();
    } finally {
      writing.unlock();
    }
  }
}
