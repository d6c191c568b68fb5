package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.internal.tcnative.Buffer;
import io.netty.internal.tcnative.SSL;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * BoringSSL reads and writes through a buffer that it borrows for the duration of a call. Messages
 * that it produces while reading wait in a small separate buffer. Each call clears the errors of
 * previous ones.
 *
 * <p>Its handshakes take some hundred microseconds, which is short enough for an event loop.
 */
final class BoringSslEngine implements TlsEngine {
  private static final int MOST_PLAIN = 16_384;

  /** Bytes added to a record: its header, its content type and its tag. */
  private static final int MOST_ADDED = HEAD + 1 + 16;

  /** Room before the first record for a key update that the peer has requested. */
  private static final int KEY_UPDATE = 64;

  /**
   * Bytes of the buffer that exists as long as the connection; a longer flight is sent in parts.
   */
  private static final int WAITING = 512;

  private static final long FREED = 0;

  private final BoringSslEngines relay;
  private final @Nullable Fingerprint expected;
  private final KeyUse key;
  private boolean keyIsLimited;
  private long ssl = FREED;
  private long network;
  private boolean established;
  private boolean ticketsDue;
  private boolean endDue;
  private boolean toSend;
  private boolean inputEnded;

  /**
   * @param expected the certificate that the peer must present; null for an accepted connection
   */
  BoringSslEngine(BoringSslEngines relay, @Nullable Fingerprint expected) {
    this.relay = relay;
    this.expected = expected;
    this.key = new KeyUse(relay.keyLimitBytes());
  }

  @Override
  public void begin() throws SSLException {
    try {
      ssl = relay.newConnection(expected);
    } catch (GeneralSecurityException e) {
      throw new SSLException(e.getMessage(), e);
    }
    network = SSL.bioNewByteBuffer(ssl, WAITING);
    if (expected != null) {
      shakeHands();
      toSend = true;
    }
  }

  @Override
  public Need need() {
    return toSend ? Need.SENDING : Need.RECORDS;
  }

  @Override
  public void compute() {
    throw new IllegalStateException("never needed");
  }

  @Override
  public ByteBuf message(ByteBufAllocator allocator) throws SSLException {
    requireLife();
    ByteBuf message = allocator.directBuffer(MOST_RECORD);
    boolean said = false;
    lend(message);
    try {
      if (!established) {
        shakeHands();
      } else if (ticketsDue) {
        // BoringSSL holds its tickets back until the first write, which here has no bytes.
        ticketsDue = isUnfinished(SSL.writeToSSL(ssl, address(message, 0, MOST_RECORD), 0));
      } else if (endDue) {
        endDue = isUnfinished(SSL.shutdownSSL(ssl));
      }
      said = true;
    } finally {
      returned(message);
      toSend = ticketsDue || endDue || SSL.bioLengthNonApplication(network) > 0;
      if (!said) {
        message.release();
      }
    }
    return message;
  }

  /** Whether a call that otherwise only succeeds needs more room. */
  private boolean isUnfinished(int result) throws SSLException {
    if (result >= 0) {
      return false;
    }
    if (checked(result) != SSL.SSL_ERROR_WANT_WRITE) {
      throw new SSLException("cannot be written now");
    }
    return true;
  }

  @Override
  public void open(ByteBuf from, int length, ByteBuf plain) throws SSLException {
    requireLife();
    if (from.isDirect() && from.nioBufferCount() == 1) {
      openDirect(from, length, plain);
      return;
    }
    ByteBuf direct = from.alloc().directBuffer(length);
    try {
      direct.writeBytes(from, from.readerIndex(), length);
      openDirect(direct, length, plain);
      from.skipBytes(direct.readerIndex());
    } finally {
      direct.release();
    }
  }

  private void openDirect(ByteBuf from, int length, ByteBuf plain) throws SSLException {
    SSL.bioSetByteBuffer(network, address(from, from.readerIndex(), length), length, false);
    int consumed;
    try {
      if (established) {
        read(plain);
      } else {
        shakeHands();
      }
    } finally {
      consumed = length - SSL.bioLengthByteBuffer(network);
      SSL.bioClearByteBuffer(network);
      from.skipBytes(consumed);
      toSend |= SSL.bioLengthNonApplication(network) > 0;
    }
    if (consumed == 0 && !toSend) {
      throw new SSLException("a record that cannot be consumed");
    }
  }

  private void read(ByteBuf plain) throws SSLException {
    while (true) {
      int room = plain.writableBytes();
      int count = SSL.readFromSSL(ssl, address(plain, plain.writerIndex(), room), room);
      if (count <= 0) {
        inputEnded = checked(count) == SSL.SSL_ERROR_ZERO_RETURN;
        return;
      }
      plain.writerIndex(plain.writerIndex() + count);
    }
  }

  private void shakeHands() throws SSLException {
    int result = SSL.doHandshake(ssl);
    if (result > 0) {
      established = true;
      keyIsLimited = !SSL.getCipherForSSL(ssl).contains("CHACHA20");
      ticketsDue = expected == null;
      toSend |= ticketsDue;
    } else if (checked(result) == SSL.SSL_ERROR_ZERO_RETURN) {
      throw new SSLException("ended during the handshake");
    }
  }

  /**
   * @return the reason for stopping, if it is no failure
   */
  private int checked(int result) throws SSLException {
    int kind = SSL.getError(ssl, result);
    if (kind == SSL.SSL_ERROR_WANT_READ
        || kind == SSL.SSL_ERROR_WANT_WRITE
        || kind == SSL.SSL_ERROR_ZERO_RETURN) {
      return kind;
    }
    String last = SSL.getLastError();
    SSL.clearError();
    throw new SSLException(last == null ? "BoringSSL's error " + kind : last);
  }

  @Override
  public boolean inputEnded() {
    return inputEnded;
  }

  @Override
  public ByteBuf seal(ByteBufAllocator allocator, ByteBuf plain) throws SSLException, TlsKeyLimit {
    requireLife();
    int length = plain.readableBytes();
    int records = records(plain);
    if (keyIsLimited && !key.take(length, records)) {
      throw new TlsKeyLimit(
          "an AES-GCM key has reached its limit of records; fix: --tls-library jdk at one end of"
              + " the hop, which changes keys");
    }
    boolean waiting = toSend;
    ByteBuf sealed =
        allocator.directBuffer(length + records * MOST_ADDED + KEY_UPDATE + (toSend ? WAITING : 0));
    boolean whole = false;
    try {
      if (plain.nioBufferCount() == 1) {
        sealPart(plain, sealed);
      } else {
        for (ByteBuffer part : plain.nioBuffers()) {
          sealPart(Unpooled.wrappedBuffer(part), sealed);
        }
      }
      if (!waiting && sealed.readableBytes() > length + records * MOST_ADDED) {
        // A key update that the peer has requested precedes the sealed bytes.
        key.renew();
        key.take(length, records);
      }
      whole = true;
      return sealed;
    } finally {
      if (!whole) {
        sealed.release();
      }
    }
  }

  /** Number of records that BoringSSL makes of the bytes. */
  private static int records(ByteBuf plain) {
    if (plain.nioBufferCount() == 1) {
      return records(plain.readableBytes());
    }
    int records = 0;
    for (ByteBuffer part : plain.nioBuffers()) {
      records += records(part.remaining());
    }
    return records;
  }

  private static int records(int length) {
    return (length + MOST_PLAIN - 1) / MOST_PLAIN;
  }

  private void sealPart(ByteBuf part, ByteBuf sealed) throws SSLException {
    int length = part.readableBytes();
    if (part.isDirect()) {
      write(address(part, part.readerIndex(), length), length, sealed);
      return;
    }
    ByteBuf direct = sealed.alloc().directBuffer(length);
    try {
      direct.writeBytes(part, part.readerIndex(), length);
      write(address(direct, 0, length), length, sealed);
    } finally {
      direct.release();
    }
  }

  private void write(long from, int length, ByteBuf sealed) throws SSLException {
    while (length > 0) {
      lend(sealed);
      int written;
      try {
        written = SSL.writeToSSL(ssl, from, length);
      } finally {
        returned(sealed);
      }
      if (written > 0) {
        return; // all of it: BoringSSL is not told that partial writes would do
      }
      if (!isUnfinished(written)) {
        throw new SSLException("cannot be written now");
      }
      sealed.ensureWritable(length + (length / MOST_PLAIN + 1) * MOST_ADDED);
    }
  }

  @Override
  public void endOutput() throws SSLException {
    requireLife();
    endDue = true;
    toSend = true;
  }

  @Override
  public boolean established() {
    return established;
  }

  @Override
  public Fingerprint peer() throws SSLException {
    requireLife();
    byte[] certificate = SSL.getPeerCertificate(ssl);
    if (certificate == null) {
      throw new SSLException("the peer has shown no certificate");
    }
    return Fingerprint.of(certificate);
  }

  @Override
  public boolean resumed() {
    return ssl != FREED && SSL.isSessionReused(ssl);
  }

  @Override
  public void free() {
    if (ssl != FREED) {
      relay.forget(ssl);
      ssl = FREED;
      toSend = false;
    }
  }

  private void requireLife() throws SSLException {
    if (ssl == FREED) {
      throw new SSLException("the connection is gone");
    }
  }

  /**
   * Lets BoringSSL write to the free room of {@code to}, until {@link #returned}. Waiting bytes are
   * moved first, at once: tcnative would count them as bytes of BoringSSL's next call.
   */
  private void lend(ByteBuf to) {
    int room = to.writableBytes();
    SSL.bioSetByteBuffer(network, address(to, to.writerIndex(), room), room, true);
    if (toSend) {
      SSL.bioFlushByteBuffer(network);
    }
  }

  private void returned(ByteBuf to) {
    int left = SSL.bioLengthByteBuffer(network);
    SSL.bioClearByteBuffer(network);
    to.writerIndex(to.capacity() - left);
  }

  /** Returns the address of a direct buffer in one piece of memory. */
  static long address(ByteBuf buffer, int index, int length) {
    if (buffer.hasMemoryAddress()) {
      return buffer.memoryAddress() + index;
    }
    ByteBuffer memory = buffer.internalNioBuffer(index, length);
    return Buffer.address(memory) + memory.position();
  }
}
