package io.cascade.carriage.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import javax.net.ssl.SSLException;

/**
 * The TLS 1.3 of one connection, without the connection: it takes the records that were received,
 * gives those that are to be sent, and knows who is at the other end. Its directions end apart from
 * each other.
 *
 * <p>Belongs to the connection's event loop, but for {@link #compute()}.
 */
interface TlsEngine {
  /** Bytes of a record's head: its type, its version and its length. */
  int HEAD = 5;

  /** Most bytes of a record (RFC 8446 section 5.2): 2^14, and 256 for type, padding and tag. */
  int MOST_RECORD = HEAD + 16_384 + 256;

  /** The step that must come next. */
  enum Need {
    /** {@link #compute()}, which takes long; until it has returned, nothing else may be called. */
    COMPUTATION,
    /** {@link #message}: there is something to be sent. */
    SENDING,
    /** {@link #open}, when a record has come. Sealing and ending are possible at any time. */
    RECORDS
  }

  /** Starts the handshake. */
  void begin() throws SSLException;

  Need need();

  /** Computes the handshake's signatures and key exchanges. On any thread. */
  void compute();

  /** Returns the engine's own next records, which may be none: handshake, tickets, alerts. */
  ByteBuf message(ByteBufAllocator allocator) throws SSLException;

  /**
   * Consumes at least one record, or comes to need something else first.
   *
   * @param length of the whole records at the front of {@code from}, of which there is one or more
   * @param plain has room for {@code length} bytes; gets what streams sent
   * @throws SSLException when a record is not genuine, or not what the handshake expects
   */
  void open(ByteBuf from, int length, ByteBuf plain) throws SSLException;

  /** Whether the peer has said that no more comes. */
  boolean inputEnded();

  /**
   * Seals all of it. After the handshake and before {@link #endOutput()}.
   *
   * @throws TlsKeyLimit when the key may not seal so much more
   */
  ByteBuf seal(ByteBufAllocator allocator, ByteBuf plain) throws SSLException, TlsKeyLimit;

  /** Makes a close_notify the next and last message. */
  void endOutput() throws SSLException;

  /** Whether the handshake is over. */
  boolean established();

  /** Fingerprint of the certificate that the peer has shown, now or in the session resumed. */
  Fingerprint peer() throws SSLException;

  /** Whether the handshake, which is over, resumed an earlier session. */
  boolean resumed();

  /** Frees memory outside the heap. Nothing may be called afterwards, but this. */
  void free();
}
