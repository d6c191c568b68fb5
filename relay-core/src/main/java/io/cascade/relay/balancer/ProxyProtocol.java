package io.cascade.relay.balancer;

import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads headers of the PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt, sections
 * 2.1 and 2.2). TLVs are skipped.
 */
final class ProxyProtocol {
  /** The longest header that is read, including its TLVs. */
  static final int MOST_BYTES = 4_096;

  /** Longest line of version 1, with its line end (section 2.1). */
  private static final int LONGEST_LINE = 107;

  private static final String LINE = "PROXY ";

  private ProxyProtocol() {}

  /**
   * A parsed header.
   *
   * @param client null where the header names none: it was sent for the balancer itself, or the
   *     client's address is not of TCP
   * @param local whether the connection is the balancer's own, such as a health check
   */
  record Header(@Nullable ClientAddress client, boolean local) {}

  /** Thrown for bytes that are no header. */
  static final class NotOne extends Exception {
    private static final long serialVersionUID = 1;

    private NotOne(String message) {
      super(message);
    }
  }

  /**
   * Reads a header and consumes its bytes.
   *
   * @return null where the header is incomplete; then no byte was consumed
   * @throws NotOne if the bytes are no header
   */
  static @Nullable Header read(ByteBuf bytes) throws NotOne {
    if (ProxyHeader.maySign(bytes)) {
      return bytes.readableBytes() < ProxyHeader.PREFIX_BYTES ? null : version2(bytes);
    }
    if (isLine(bytes)) {
      return version1(bytes);
    }
    throw new NotOne("no PROXY header");
  }

  private static boolean isLine(ByteBuf bytes) {
    int length = Math.min(LINE.length(), bytes.readableBytes());
    return LINE.startsWith(bytes.toString(bytes.readerIndex(), length, StandardCharsets.US_ASCII));
  }

  private static @Nullable Header version1(ByteBuf bytes) throws NotOne {
    int length = bytes.bytesBefore((byte) '\n') + 1;
    if (length == 0) {
      if (bytes.readableBytes() >= LONGEST_LINE) {
        throw new NotOne("an unterminated PROXY line");
      }
      return null;
    }
    String line = bytes.toString(bytes.readerIndex(), length, StandardCharsets.US_ASCII);
    if (length > LONGEST_LINE || !line.endsWith("\r\n")) {
      throw new NotOne("a PROXY line that is too long or does not end with CR LF");
    }
    bytes.skipBytes(length);
    String[] words = line.strip().split(" ", -1);
    if (words.length >= 2 && words[1].equals("UNKNOWN")) {
      return new Header(null, false);
    }
    if (words.length != 6 || !(words[1].equals("TCP4") || words[1].equals("TCP6"))) {
      throw new NotOne("a malformed PROXY line");
    }
    return new Header(
        new ClientAddress(address(words[2], words[4]), address(words[3], words[5])), false);
  }

  private static InetSocketAddress address(String address, String port) throws NotOne {
    try {
      return new InetSocketAddress(InetAddress.ofLiteral(address), Integer.parseInt(port));
    } catch (IllegalArgumentException e) {
      throw new NotOne("a PROXY line with an invalid address");
    }
  }

  private static @Nullable Header version2(ByteBuf bytes) throws NotOne {
    int at = bytes.readerIndex();
    byte command = bytes.getByte(at + 12);
    byte family = bytes.getByte(at + 13);
    int whole = ProxyHeader.PREFIX_BYTES + bytes.getUnsignedShort(at + 14);
    if (!ProxyHeader.isVersion2(command)) {
      throw new NotOne("a PROXY header of another version or command");
    }
    if (whole > MOST_BYTES) {
      throw new NotOne("a PROXY header of more than " + MOST_BYTES + " bytes");
    }
    if (bytes.readableBytes() < whole) {
      return null;
    }
    ByteBuf rest = bytes.readSlice(whole).skipBytes(ProxyHeader.PREFIX_BYTES);
    if (!ProxyHeader.isProxied(command)) {
      return new Header(null, true);
    }
    ClientAddress client = ProxyHeader.readAddresses(family, rest);
    if (client == null && ProxyHeader.isTcp(family)) {
      throw new NotOne("a PROXY header that is too short for its addresses");
    }
    return new Header(client, false); // The specification has receivers skip these.
  }
}
