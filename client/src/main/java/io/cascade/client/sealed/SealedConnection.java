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
 * writes. An end of input without close_notify throws {@link EOFException}, since an on-path
 * attacker can forge it. Closing sends no close_notify; {@link #shutdownOutput} does.
 */
public final class SealedConnection extends ForwardingConnection {
  /** Most content bytes of a record (RFC 8446 section 5.1). */
  private static final int RECORD_BYTES = 1 << 14;

  /** Most records that are written at once. */
  private static final int RECORDS = 4;

  private final SSLEngine engine;

  private final ReentrantLock reading = new ReentrantLock();

  /**
   * Received bytes that are not decrypted yet; always ready to be read from. Used by the reader
   * only.
   */
  private final ByteBuffer sealed;

  /**
   * Decrypted bytes that did not fit the reader's buffer; always ready to be read from. Used by the
   * reader only.
   */
  private ByteBuffer opened = ByteBuffer.allocate(0);

  private boolean inputEnded;

  private final ReentrantLock writing = new ReentrantLock();

  /** Used by the writer only. */
  private final ByteBuffer out;

  /**
   * Copy of plaintext outside the heap: the JDK encrypts arrays several times as fast. Used by the
   * writer only.
   */
  private final ByteBuffer plain = ByteBuffer.allocate(RECORD_BYTES);

  private SealedConnection(ByteConnection under, SSLEngine engine) {
    super(under);
    this.engine = engine;
    int record = engine.getSession().getPacketBufferSize();
    this.sealed = ByteBuffer.allocate(RECORDS * record).limit(0);
    this.out = ByteBuffer.allocate(RECORDS * record);
  }

  /** An action that runs once, before anything is read. */
  @FunctionalInterface
  interface BeforeReading {
    void run() throws IOException;
  }

  /**
   * Encrypts a connection; blocks until the handshake is complete.
   *
   * @param before runs once this end has begun TLS
   * @throws IOException where the connection failed, or the peer is not the expected one
   */
  static SealedConnection over(ByteConnection under, SSLEngine engine, BeforeReading before)
      throws IOException {
    SealedConnection made = new SealedConnection(under, engine);
    engine.beginHandshake();
    made.handshake(before);
    return made;
  }

  /**
   * Creates the sender's first flight without sending it, which {@link #handshake} does. In a new
   * process generating its key takes long, and can overlap with a round trip.
   */
  static SealedConnection begun(ByteConnection under, SSLEngine engine) throws IOException {
    SealedConnection made = new SealedConnection(under, engine);
    engine.beginHandshake();
    made.wrap(ByteBuffer.allocate(0));
    return made;
  }

  /**
   * Completes the handshake; called once, blocks.
   *
   * @param before runs once this end has begun TLS
   * @throws IOException where the connection failed, or the peer is not the expected one
   */
  void handshake(BeforeReading before) throws IOException {
    Channels.writeFully(under(), out.flip()); // The first flight, if it was created already.
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

  /** Keeps data that the peer sent right behind its handshake. */
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

  /**
   * Decrypts one record into {@link #opened}: the JDK decrypts into arrays several times as fast.
   */
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
   * Decrypts one record into the given buffer or {@link #opened}.
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

  /**
   * Answers a key update: the peer may have changed its key and request that this end change its
   * own.
   */
  private void afterUnwrap() throws IOException {
    HandshakeStatus status = engine.getHandshakeStatus();
    if (status == HandshakeStatus.NEED_TASK) {
      runTasks();
      status = engine.getHandshakeStatus();
    }
    // A writer that holds the lock sends it with its next record.
    if (status == HandshakeStatus.NEED_WRAP && writing.tryLock()) {
      try {
        flush();
      } finally {
        writing.unlock();
      }
    }
  }

  /** Writes messages of TLS itself. Used by the writer only. */
  private void flush() throws IOException {
    wrap(ByteBuffer.allocate(0));
    Channels.writeFully(under(), out.flip());
  }

  /** Blocks until at least a part was written. */
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

  /** The next record's content, in an array. */
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
