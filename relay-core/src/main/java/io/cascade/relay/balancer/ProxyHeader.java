package io.cascade.relay.balancer;

import io.netty.buffer.ByteBuf;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * The fixed part of a PROXY protocol header, version 2 (haproxy.org, proxy-protocol.txt, section
 * 2.2): signature, command, family, length, addresses.
 */
public final class ProxyHeader {
  /** Signature, version and command, family and length. */
  public static final int PREFIX_BYTES = 16;

  private static final byte[] SIGNATURE = {
    0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a
  };
  private static final int VERSION_2 = 0x20;
  private static final int COMMAND_PROXY = 0x01;
  private static final int UNSPECIFIED = 0x00;
  private static final int TCP_OVER_IPV4 = 0x11;
  private static final int TCP_OVER_IPV6 = 0x21;
  private static final int IPV4_BYTES = 12;
  private static final int IPV6_BYTES = 36;

  private ProxyHeader() {}

  /**
   * Writes a header without TLVs, for destinations that expect the client's address.
   *
   * @param client where the stream comes from
   * @param ingress where it was accepted
   */
  public static void write(ByteBuf to, InetSocketAddress client, InetSocketAddress ingress) {
    int length = addressBytes(client, ingress);
    prefix(to, true, client, ingress, length);
    addresses(to, client, ingress);
  }

  /**
   * Writes the part before the addresses.
   *
   * @param proxied whether the header names a client: the PROXY command, else LOCAL
   * @param length bytes that follow, addresses and TLVs
   */
  public static void prefix(
      ByteBuf to,
      boolean proxied,
      InetSocketAddress client,
      InetSocketAddress ingress,
      int length) {
    to.writeBytes(SIGNATURE);
    to.writeByte(VERSION_2 | (proxied ? COMMAND_PROXY : 0));
    to.writeByte(proxied ? family(client, ingress) : UNSPECIFIED);
    to.writeShort(length);
  }

  /** Number of bytes that {@link #addresses} writes. */
  public static int addressBytes(InetSocketAddress client, InetSocketAddress ingress) {
    return family(client, ingress) == TCP_OVER_IPV4 ? IPV4_BYTES : IPV6_BYTES;
  }

  /** Writes both addresses and ports, as IPv6 where one of them is. */
  public static void addresses(ByteBuf to, InetSocketAddress client, InetSocketAddress ingress) {
    boolean ipv4 = family(client, ingress) == TCP_OVER_IPV4;
    to.writeBytes(raw(client, ipv4));
    to.writeBytes(raw(ingress, ipv4));
    to.writeShort(client.getPort());
    to.writeShort(ingress.getPort());
  }

  /**
   * Whether the bytes of {@code from}, as far as they have arrived, are a prefix of the signature.
   */
  public static boolean maySign(ByteBuf from) {
    int length = Math.min(SIGNATURE.length, from.readableBytes());
    for (int i = 0; i < length; i++) {
      if (from.getByte(from.readerIndex() + i) != SIGNATURE[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether the byte after the signature is of version 2 with a known command. */
  public static boolean isVersion2(byte versionAndCommand) {
    int value = versionAndCommand & 0xff;
    return value == VERSION_2 || value == (VERSION_2 | COMMAND_PROXY);
  }

  /** Whether the command is PROXY: a client's addresses follow. */
  public static boolean isProxied(byte versionAndCommand) {
    return (versionAndCommand & 0x0f) == COMMAND_PROXY;
  }

  /** Whether a family is TCP over IPv4 or IPv6. */
  static boolean isTcp(byte family) {
    return family == TCP_OVER_IPV4 || family == TCP_OVER_IPV6;
  }

  /**
   * Reads the addresses of a family; null where the family is not TCP over IPv4 or IPv6, or bytes
   * are missing.
   */
  public static @Nullable ClientAddress readAddresses(byte family, ByteBuf from) {
    int width = family == TCP_OVER_IPV4 ? 4 : 16;
    if (!isTcp(family) || from.readableBytes() < 2 * width + 4) {
      return null;
    }
    byte[] client = new byte[width];
    byte[] ingress = new byte[width];
    from.readBytes(client).readBytes(ingress);
    return new ClientAddress(
        new InetSocketAddress(address(client), from.readUnsignedShort()),
        new InetSocketAddress(address(ingress), from.readUnsignedShort()));
  }

  private static InetAddress address(byte[] raw) {
    try {
      return InetAddress.getByAddress(raw);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("4 and 16 are lengths of addresses", e);
    }
  }

  private static int family(InetSocketAddress client, InetSocketAddress ingress) {
    return client.getAddress() instanceof Inet4Address
            && ingress.getAddress() instanceof Inet4Address
        ? TCP_OVER_IPV4
        : TCP_OVER_IPV6;
  }

  private static byte[] raw(InetSocketAddress address, boolean ipv4) {
    byte[] bytes = address.getAddress().getAddress();
    if (ipv4 || address.getAddress() instanceof Inet6Address) {
      return bytes;
    }
    byte[] mapped = new byte[16]; // ::ffff:a.b.c.d, where only one of the two addresses is IPv4
    mapped[10] = (byte) 0xff;
    mapped[11] = (byte) 0xff;
    System.arraycopy(bytes, 0, mapped, 12, 4);
    return mapped;
  }
}
