package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.concurrent.FastThreadLocal;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/** The JDK's engine, which opens one record at a time and uses arrays. */
final class JdkEngine implements TlsEngine {
  private static final int TAG_AND_TYPE = 17;

  /** The JDK counts type and tag as content, and so puts fewer bytes into a record than allowed. */
  private static final int SEALED_AT_ONCE = 16_384 - TAG_AND_TYPE;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private static final FastThreadLocal<Scratch> SCRATCH =
      new FastThreadLocal<>() {
        @Override
        protected Scratch initialValue() {
          return new Scratch();
        }
      };

  private final SSLEngine engine;
  private final Set<SSLEngine> shown;
  private boolean established;
  private boolean inputEnded;

  /**
   * Buffers of one event loop: with other buffers, the JDK's engine would allocate arrays for each
   * record.
   */
  private static final class Scratch {
    final byte[] sealed = new byte[MOST_RECORD + 1_024];
    final ByteBuffer out = ByteBuffer.allocate(MOST_RECORD + 1_024);
  }

  /**
   * @param shown set to which the engine is added when its peer presents a certificate
   */
  JdkEngine(SSLEngine engine, Set<SSLEngine> shown) {
    this.engine = engine;
    this.shown = shown;
  }

  @Override
  public void begin() throws SSLException {
    engine.beginHandshake();
  }

  @Override
  public Need need() {
    return switch (engine.getHandshakeStatus()) {
      case NEED_TASK -> Need.COMPUTATION;
      case NEED_WRAP -> Need.SENDING;
      case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> Need.RECORDS;
      case NOT_HANDSHAKING, FINISHED -> {
        established = true; // a computation may have been the last step
        yield Need.RECORDS;
      }
    };
  }

  @Override
  public void compute() {
    for (Runnable task = engine.getDelegatedTask();
        task != null;
        task = engine.getDelegatedTask()) {
      task.run();
    }
  }

  @Override
  public ByteBuf message(ByteBufAllocator allocator) throws SSLException {
    ByteBuffer out = SCRATCH.get().out.clear();
    SSLEngineResult result = engine.wrap(NOTHING.duplicate(), out);
    settle(result);
    if (result.bytesProduced() == 0 && need() == Need.SENDING) {
      throw new SSLException("nothing to say: " + result);
    }
    return allocator.directBuffer(Math.max(1, result.bytesProduced())).writeBytes(out.flip());
  }

  @Override
  public void open(ByteBuf from, int length, ByteBuf plain) throws SSLException {
    int first = PartialRecords.recordLength(from);
    byte[] sealed = SCRATCH.get().sealed;
    from.getBytes(from.readerIndex(), sealed, 0, first);
    ByteBuffer target = plain.internalNioBuffer(plain.writerIndex(), plain.writableBytes());
    SSLEngineResult result = engine.unwrap(ByteBuffer.wrap(sealed, 0, first), target);
    from.skipBytes(result.bytesConsumed());
    plain.writerIndex(plain.writerIndex() + result.bytesProduced());
    settle(result);
    inputEnded = result.getStatus() == SSLEngineResult.Status.CLOSED || engine.isInboundDone();
    if (result.bytesConsumed() == 0 && !inputEnded && need() == Need.RECORDS) {
      throw new SSLException("a record that cannot be consumed: " + result);
    }
  }

  /** Only the step that completes the handshake reports its end. */
  private void settle(SSLEngineResult result) {
    HandshakeStatus status = result.getHandshakeStatus();
    established |= status == HandshakeStatus.FINISHED || status == HandshakeStatus.NOT_HANDSHAKING;
  }

  @Override
  public boolean inputEnded() {
    return inputEnded;
  }

  @Override
  public ByteBuf seal(ByteBufAllocator allocator, ByteBuf plain) throws SSLException {
    int length = plain.readableBytes();
    int records = (length + SEALED_AT_ONCE - 1) / SEALED_AT_ONCE;
    ByteBuf sealed = allocator.directBuffer(length + records * (HEAD + TAG_AND_TYPE));
    ByteBuffer out = SCRATCH.get().out;
    try {
      for (ByteBuffer part : plain.nioBuffers()) {
        while (part.hasRemaining()) {
          out.clear();
          SSLEngineResult result = engine.wrap(part, out);
          if (result.bytesProduced() == 0) {
            throw new SSLException("nothing sealed: " + result);
          }
          sealed.writeBytes(out.flip());
        }
      }
      return sealed;
    } catch (SSLException | RuntimeException | Error e) { // Error: no memory for a piece
      sealed.release();
      throw e;
    }
  }

  @Override
  public void endOutput() {
    engine.closeOutbound();
  }

  @Override
  public boolean established() {
    return established;
  }

  @Override
  public Fingerprint peer() throws SSLException {
    try {
      return Fingerprint.of(engine.getSession().getPeerCertificates()[0]);
    } catch (GeneralSecurityException e) {
      throw new SSLException("a certificate that cannot be read", e);
    }
  }

  @Override
  public boolean resumed() {
    return !shown.contains(engine);
  }

  @Override
  public void free() {
    shown.remove(engine);
  }
}
