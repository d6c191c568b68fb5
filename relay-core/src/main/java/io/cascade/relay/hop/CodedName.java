package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import java.nio.ByteBuffer;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The name of a hop's key in the handshake of a coded session. It identifies the hop as the hop
 * header does for a stream.
 *
 * <pre>
 *  1 | chain 16 bytes | segment u8 | pipe u8 | hop u8
 * </pre>
 */
record CodedName(UUID chain, HopAddress hop) {
  private static final byte OF_A_HOP = 1;
  private static final int BYTES = 20;

  byte[] encode() {
    return ByteBuffer.allocate(BYTES)
        .put(OF_A_HOP)
        .putLong(chain.getMostSignificantBits())
        .putLong(chain.getLeastSignificantBits())
        .put(hop.segment().byteValue())
        .put(hop.pipe().byteValue())
        .put(hop.hop().byteValue())
        .array();
  }

  /** Parses a name; null if it is not the name of a hop. */
  static @Nullable CodedName decode(byte[] name) {
    if (name.length != BYTES || name[0] != OF_A_HOP) {
      return null;
    }
    ByteBuffer from = ByteBuffer.wrap(name, 1, BYTES - 1);
    UUID chain = new UUID(from.getLong(), from.getLong());
    return new CodedName(
        chain, new HopAddress(from.get() & 0xff, from.get() & 0xff, from.get() & 0xff));
  }
}
