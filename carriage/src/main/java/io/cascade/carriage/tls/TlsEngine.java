package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import javax.net.ssl.SSLException;

/**
 * The TLS 1.3 of one connection, without the connection itself: it takes received records, produces
 * the records to send, and knows the peer's identity. Its two directions end separately.
 *
 * <p>Used on the connection's event loop, except {@link #compute()}.
 */
interface TlsEngine {
  /** Bytes of a record's header: its type, its version and its length. */
  int HEAD = 5;

  /** Most bytes of a record (RFC 8446 section 5.2): 2^14, and 256 for type, padding and tag. */
  int MOST_RECORD = HEAD + 16_384 + 256;

  /** The step that must come next. */
  enum Need {
    /**
     * {@link #compute()}, which takes long; until it has returned, no other method may be called.
     */
    COMPUTATION,
    /** {@link #message}: there is something to send. */
    SENDING,
    /** {@link #open}, when a record has arrived. Sealing and ending are possible at any time. */
    RECORDS
  }

  /** Starts the handshake. */
  void begin() throws SSLException;

  Need need();

  /** Computes the handshake's signatures and key exchanges. May run on any thread. */
  void compute();

  /** Returns the engine's own next records, which may be none: handshake, tickets, alerts. */
  ByteBuf message(ByteBufAllocator allocator) throws SSLException;

  /**
   * Consumes at least one record, or stops because it needs something else first.
   *
   * @param length of the complete records at the front of {@code from}, of which there is at least
   *     one
   * @param plain has room for {@code length} bytes; receives the stream's bytes
   * @throws SSLException if a record is not authentic, or not what the handshake expects
   */
  void open(ByteBuf from, int length, ByteBuf plain) throws SSLException;

  /** Whether the peer has sent close_notify. */
  boolean inputEnded();

  /**
   * Seals all of {@code plain}. Called after the handshake and before {@link #endOutput()}.
   *
   * @throws TlsKeyLimit if that exceeds the key's usage limit
   */
  ByteBuf seal(ByteBufAllocator allocator, ByteBuf plain) throws SSLException, TlsKeyLimit;

  /** Makes close_notify the next and last message. */
  void endOutput() throws SSLException;

  /** Whether the handshake is over. */
  boolean established();

  /**
   * Fingerprint of the certificate that the peer has presented, in this handshake or in the resumed
   * session.
   */
  Fingerprint peer() throws SSLException;

  /** Whether the completed handshake resumed an earlier session. */
  boolean resumed();

  /** Frees memory outside the heap. No other method may be called afterwards. */
  void free();
}
