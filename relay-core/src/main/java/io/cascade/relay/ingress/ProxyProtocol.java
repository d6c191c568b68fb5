package io.cascade.relay.ingress;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads headers of the PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt, sections
 * 2.1 and 2.2). TLVs are skipped.
 */
final class ProxyProtocol {
  /** Longest header that is read, with all its TLVs. */
  static final int MOST_BYTES = 4_096;

  /** Section 2.1: of a line of version 1, with its end. */
  private static final int LONGEST_LINE = 107;

  private static final byte[] LINE = "PROXY ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SIGNATURE = HexFormat.of().parseHex("0d0a0d0a000d0a515549540a");
  private static final int PREFIX_BYTES = 16;

  private ProxyProtocol() {}

  /**
   * What a header says.
   *
   * @param client null where it names none: the balancer speaks for itself, or its client has no
   *     address of TCP
   * @param local whether nobody is behind it, as in a balancer's look at the port's health
   */
  record Header(@Nullable ClientAddress client, boolean local) {}

  /** Bytes that are no header. */
  static final class NotOne extends Exception {
    private static final long serialVersionUID = 1;

    private NotOne(String message) {
      super(message);
    }
  }

  /**
   * Takes a header from the bytes.
   *
   * @return null where it is not whole yet; nothing was taken then
   * @throws NotOne where the bytes are something else
   */
  static @Nullable Header read(ByteBuf bytes) throws NotOne {
    if (begins(bytes, SIGNATURE)) {
      return bytes.readableBytes() < PREFIX_BYTES ? null : version2(bytes);
    }
    if (begins(bytes, LINE)) {
      return version1(bytes);
    }
    throw new NotOne("no PROXY header");
  }

  private static boolean begins(ByteBuf bytes, byte[] with) {
    for (int i = 0; i < Math.min(with.length, bytes.readableBytes()); i++) {
      if (bytes.getByte(bytes.readerIndex() + i) != with[i]) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Header version1(ByteBuf bytes) throws NotOne {
    int length = bytes.bytesBefore((byte) '\n') + 1;
    if (length == 0) {
      if (bytes.readableBytes() >= LONGEST_LINE) {
        throw new NotOne("a PROXY line without an end");
      }
      return null;
    }
    String line = bytes.toString(bytes.readerIndex(), length, StandardCharsets.US_ASCII);
    if (length > LONGEST_LINE || !line.endsWith("\r\n")) {
      throw new NotOne("a PROXY line that does not end as one");
    }
    bytes.skipBytes(length);
    String[] words = line.strip().split(" ", -1);
    if (words.length >= 2 && words[1].equals("UNKNOWN")) {
      return new Header(null, false);
    }
    if (words.length != 6 || !(words[1].equals("TCP4") || words[1].equals("TCP6"))) {
      throw new NotOne("a PROXY line of another form");
    }
    return new Header(
        new ClientAddress(address(words[2], words[4]), address(words[3], words[5])), false);
  }

  private static InetSocketAddress address(String address, String port) throws NotOne {
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(address), Integer.parseInt(port));
    } catch (IllegalArgumentException e) {
      throw new NotOne("a PROXY line with an address that is none");
    }
  }

  private static @Nullable Header version2(ByteBuf bytes) throws NotOne {
    int at = bytes.readerIndex();
    int versionAndCommand = bytes.getUnsignedByte(at + 12);
    int family = bytes.getUnsignedByte(at + 13);
    int length = bytes.getUnsignedShort(at + 14);
    if (versionAndCommand != 0x20 && versionAndCommand != 0x21) {
      throw new NotOne("a PROXY header of another version or command");
    }
    if (PREFIX_BYTES + length > MOST_BYTES) {
      throw new NotOne("a PROXY header of more than " + MOST_BYTES + " bytes");
    }
    if (bytes.readableBytes() < PREFIX_BYTES + length) {
      return null;
    }
    bytes.skipBytes(PREFIX_BYTES);
    ByteBuf rest = bytes.readSlice(length);
    boolean local = versionAndCommand == 0x20;
    return new Header(local ? null : addresses(family, rest), local);
  }

  /** Null where they are not of TCP over IPv4 or IPv6, which the receiver has to pass over. */
  private static @Nullable ClientAddress addresses(int family, ByteBuf rest) throws NotOne {
    int width = family == 0x11 ? 4 : family == 0x21 ? 16 : 0;
    if (width == 0) {
      return null;
    }
    if (rest.readableBytes() < 2 * width + 4) {
      throw new NotOne("a PROXY header without room for its addresses");
    }
    byte[] client = new byte[width];
    byte[] here = new byte[width];
    rest.readBytes(client).readBytes(here);
    return new ClientAddress(
        new InetSocketAddress(address(client), rest.readUnsignedShort()),
        new InetSocketAddress(address(here), rest.readUnsignedShort()));
  }

  private static InetAddress address(byte[] raw) {
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 and 16 are lengths of addresses", e);
    }
  }
}
