package io.cascade.client.sealed;

import io.cascade.client.transfer.wire.TransferHeader;
import org.jspecify.annotations.Nullable;

/** Kind of a sender's first message, by its first byte. */
enum Opening {
  /** A {@link TransferHeader} in clear text. */
  CLEAR(TransferHeader.FIRST_BYTE),
  /** An {@link ExchangeMessage}. */
  EXCHANGE(ExchangeMessage.MAGIC[0]),
  /** A TLS handshake (RFC 8446 section 5.1). */
  TLS((byte) 0x16);

  private final byte first;

  Opening(byte first) {
    this.first = first;
  }

  /** Null where it is none of these. */
  static @Nullable Opening of(byte first) {
    for (Opening one : values()) {
      if (one.first == first) {
        return one;
      }
    }
    return null;
  }
}
