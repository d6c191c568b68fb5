package io.cascade.relay.hop;

import io.cascade.api.orchestrator.HopAddress;
import io.cascade.relay.balancer.ClientAddress;
import io.cascade.relay.balancer.ProxyHeader;
import io.cascade.relay.stream.StreamStart;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.net.InetSocketAddress;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The header that a relay sends to the next one before a stream's bytes: PROXY protocol v2 with
 * custom TLVs, the last of which authenticates all bytes before it.
 *
 * <table>
 * <caption>TLVs, in this order</caption>
 * <tr><td>0xE0</td><td>kind, 1 byte</td></tr>
 * <tr><td>0xE1</td><td>chain, 16 bytes</td></tr>
 * <tr><td>0xE2</td><td>stream, 16 bytes (all but greetings)</td></tr>
 * <tr><td>0xE3</td><td>address of the hop in the chain's route: segment, pipe and hop, 1 byte
 * each</td></tr>
 * <tr><td>0xE4</td><td>counter, 8 bytes; an answer repeats the counter it answers</td></tr>
 * <tr><td>0xE5</td><td>HMAC-SHA256 under the hop's key over everything before its value</td></tr>
 * </table>
 *
 * <p>Messages of a throughput test ({@link TestMessage}) name the test in place of the chain; their
 * counter is a number of bytes.
 *
 * <p>{@link Kind#STREAM} and {@link Kind#AWAITED_STREAM} carry the client's and the ingress's
 * address and the PROXY command, the others the LOCAL command.
 *
 * @param hop over which it is sent
 * @param start of the stream, for {@link Kind#STREAM} and {@link Kind#AWAITED_STREAM}
 * @param stream for {@link Kind#ACCEPTED}
 */
record HopHeader(
    Kind kind,
    UUID chain,
    @Nullable UUID stream,
    HopAddress hop,
    long counter,
    @Nullable StreamStart start) {
  /** Bound on a header, above the length of any valid one (170 bytes with IPv6 addresses). */
  static final int MOST_BYTES = 256;

  private static final int KIND = 0xe0;
  private static final int CHAIN = 0xe1;
  private static final int STREAM = 0xe2;
  private static final int HOP = 0xe3;
  private static final int COUNTER = 0xe4;
  private static final int AUTHENTICATOR = 0xe5;
  private static final int TLV_HEAD = 3;
  private static final int ADDRESS_BYTES = 3;

  /** Kind of header. */
  enum Kind {
    /** The sender holds the key; the connection is for a later stream. */
    GREETING(1),
    /** A stream starts; its bytes follow. */
    STREAM(2),
    /** The receiver of a greeting also holds the key; the connection is ready. */
    WELCOME(3),
    /** The receiver of a stream has accepted it. */
    ACCEPTED(4),
    /** STREAM, where the last relay's first bytes in return are a {@link ConnectStatus}. */
    AWAITED_STREAM(5),
    /** A throughput test starts; its bytes follow once it is accepted. */
    TEST(6),
    /** The test is expected; its bytes may be sent. */
    TEST_ACCEPTED(7),
    /** All bytes of the test have arrived; the counter is their number. */
    TEST_RECEIVED(8),
    /**
     * The receiver stops the test in favour of a stream; the counter is the number of bytes that
     * have arrived.
     */
    TEST_STOPPED(9);

    final int code;

    Kind(int code) {
      this.code = code;
    }

    static @Nullable Kind of(int code) {
      for (Kind kind : values()) {
        if (kind.code == code) {
          return kind;
        }
      }
      return null;
    }

    boolean hasStream() {
      return starts() || this == ACCEPTED;
    }

    boolean starts() {
      return this == STREAM || this == AWAITED_STREAM;
    }
  }

  static HopHeader greeting(UUID chain, HopAddress hop, long counter) {
    return new HopHeader(Kind.GREETING, chain, null, hop, counter, null);
  }

  static HopHeader stream(UUID chain, HopAddress hop, long counter, StreamStart start) {
    Kind kind = start.awaited() ? Kind.AWAITED_STREAM : Kind.STREAM;
    return new HopHeader(kind, chain, start.id(), hop, counter, start);
  }

  /** Returns the answer to this header. */
  HopHeader answer() {
    return switch (kind) {
      case GREETING -> new HopHeader(Kind.WELCOME, chain, null, hop, counter, null);
      case STREAM, AWAITED_STREAM ->
          new HopHeader(Kind.ACCEPTED, chain, stream, hop, counter, null);
      case TEST -> new HopHeader(Kind.TEST_ACCEPTED, chain, null, hop, counter, null);
      case WELCOME, ACCEPTED, TEST_ACCEPTED, TEST_RECEIVED, TEST_STOPPED ->
          throw new IllegalStateException(kind + " is an answer itself");
    };
  }

  /** Encodes the whole header with its authenticator. */
  byte[] encode(HopKey key) {
    ByteBuf out = Unpooled.buffer(MOST_BYTES);
    StreamStart from = start;
    int addressBytes = from == null ? 0 : ProxyHeader.addressBytes(from.client(), from.ingress());
    int tlvBytes =
        TLV_HEAD
            + 1
            + TLV_HEAD
            + 16
            + (kind.hasStream() ? TLV_HEAD + 16 : 0)
            + TLV_HEAD
            + ADDRESS_BYTES
            + TLV_HEAD
            + 8
            + TLV_HEAD
            + HopKey.TAG_BYTES;
    if (from == null) {
      InetSocketAddress none = InetSocketAddress.createUnresolved("", 0);
      ProxyHeader.prefix(out, false, none, none, tlvBytes);
    } else {
      ProxyHeader.prefix(out, true, from.client(), from.ingress(), addressBytes + tlvBytes);
      ProxyHeader.addresses(out, from.client(), from.ingress());
    }
    out.writeByte(KIND).writeShort(1).writeByte(kind.code);
    writeUuid(out, CHAIN, chain);
    UUID of = stream;
    if (of != null) {
      writeUuid(out, STREAM, of);
    }
    out.writeByte(HOP).writeShort(ADDRESS_BYTES);
    out.writeByte(hop.segment()).writeByte(hop.pipe()).writeByte(hop.hop());
    out.writeByte(COUNTER).writeShort(8).writeLong(counter);
    out.writeByte(AUTHENTICATOR).writeShort(HopKey.TAG_BYTES);
    out.writeBytes(key.sign(out.array(), out.writerIndex()));
    byte[] header = new byte[out.readableBytes()];
    out.readBytes(header);
    return header;
  }

  private static void writeUuid(ByteBuf out, int type, UUID value) {
    out.writeByte(type).writeShort(16);
    out.writeLong(value.getMostSignificantBits()).writeLong(value.getLeastSignificantBits());
  }

  /**
   * A parsed header whose authenticator is not checked yet: the header names the chain whose key is
   * needed.
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Unverified(HopHeader header, byte[] bytes) {
    /** Whether the sender holds {@code key}. */
    boolean verifiedBy(HopKey key) {
      int signed = bytes.length - HopKey.TAG_BYTES;
      byte[] tag = java.util.Arrays.copyOfRange(bytes, signed, bytes.length);
      return key.verifies(bytes, signed, tag);
    }
  }

  /**
   * Reads one header from the front of {@code in}.
   *
   * @return null if more bytes are needed; then none is consumed
   * @throws Malformed if the bytes are no such header, whatever follows
   */
  static @Nullable Unverified decode(ByteBuf in) throws Malformed {
    if (!ProxyHeader.maySign(in)) {
      throw new Malformed("not a PROXY v2 header");
    }
    if (in.readableBytes() < ProxyHeader.PREFIX_BYTES) {
      return null;
    }
    int at = in.readerIndex();
    byte command = in.getByte(at + 12);
    byte family = in.getByte(at + 13);
    int length = in.getUnsignedShort(at + 14);
    if (!ProxyHeader.isVersion2(command)) {
      throw new Malformed("not version 2");
    }
    int whole = ProxyHeader.PREFIX_BYTES + length;
    if (whole > MOST_BYTES) {
      throw new Malformed("oversized header");
    }
    if (in.readableBytes() < whole) {
      return null;
    }
    byte[] bytes = new byte[whole];
    in.readBytes(bytes);
    ByteBuf body = Unpooled.wrappedBuffer(bytes);
    body.skipBytes(ProxyHeader.PREFIX_BYTES);
    return new Unverified(parse(command, family, body), bytes);
  }

  private static HopHeader parse(byte command, byte family, ByteBuf body) throws Malformed {
    ClientAddress addresses = null;
    if (ProxyHeader.isProxied(command)) {
      addresses = ProxyHeader.readAddresses(family, body);
      if (addresses == null) {
        throw new Malformed("no TCP addresses");
      }
    } else if (family != 0) {
      throw new Malformed("a LOCAL header with addresses");
    }
    Kind kind = Kind.of(tlv(body, KIND, 1).readUnsignedByte());
    if (kind == null || kind.starts() != (addresses != null)) {
      throw new Malformed("unknown kind");
    }
    UUID chain = uuid(tlv(body, CHAIN, 16));
    UUID stream = kind.hasStream() ? uuid(tlv(body, STREAM, 16)) : null;
    ByteBuf address = tlv(body, HOP, ADDRESS_BYTES);
    HopAddress hop =
        new HopAddress(
            (int) address.readUnsignedByte(),
            (int) address.readUnsignedByte(),
            (int) address.readUnsignedByte());
    long counter = tlv(body, COUNTER, 8).readLong();
    tlv(body, AUTHENTICATOR, HopKey.TAG_BYTES);
    if (body.isReadable()) {
      throw new Malformed("bytes after the authenticator");
    }
    StreamStart start =
        addresses == null || stream == null
            ? null
            : new StreamStart(
                stream, addresses.client(), addresses.at(), kind == Kind.AWAITED_STREAM);
    return new HopHeader(kind, chain, stream, hop, counter, start);
  }

  private static ByteBuf tlv(ByteBuf body, int type, int length) throws Malformed {
    if (body.readableBytes() < TLV_HEAD + length
        || body.readUnsignedByte() != type
        || body.readUnsignedShort() != length) {
      throw new Malformed("TLV 0x" + Integer.toHexString(type) + " missing or malformed");
    }
    return body.readSlice(length);
  }

  private static UUID uuid(ByteBuf from) {
    return new UUID(from.readLong(), from.readLong());
  }

  /** Thrown for bytes that cannot become a valid header. */
  static final class Malformed extends Exception {
    Malformed(String message) {
      super(message, null, false, false);
    }
  }
}
