package io.cascade.client.transfer.coded;

import io.cascade.client.transfer.connection.ByteConnection;
import io.cascade.client.transfer.connection.Channels;
import io.cascade.client.transfer.connection.TransferFailed;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Addresses at which an end may be reached over UDP, the likelier ones first: as a relay sees it,
 * and its own.
 *
 * <pre>
 * 0  1  number of addresses, at most 8; then each:
 *    1  length of the address, 4 or 16
 *    …  address
 *    2  port, big-endian
 * </pre>
 */
record Candidates(List<InetSocketAddress> addresses) {
  static final int MOST = 8;
  static final Candidates NONE = new Candidates(List.of());
  private static final int MOST_BYTES = 1 + MOST * (1 + 16 + Short.BYTES);
  private static final InetAddress BROADCAST = broadcast();

  Candidates {
    addresses = List.copyOf(addresses);
    if (addresses.size() > MOST) {
      throw new IllegalArgumentException(
          addresses.size() + " candidates (expected: at most " + MOST + ")");
    }
  }

  /** The first distinct ones, up to the limit. */
  static Candidates of(Stream<InetSocketAddress> addresses) {
    return new Candidates(addresses.distinct().limit(MOST).toList());
  }

  /** Addresses of this host's networks, with the port. */
  static Stream<InetSocketAddress> local(int port) {
    try {
      return NetworkInterface.networkInterfaces()
          .filter(Candidates::isUp)
          .flatMap(NetworkInterface::inetAddresses)
          .filter(one -> !one.isLoopbackAddress() && !one.isLinkLocalAddress())
          .map(one -> new InetSocketAddress(withoutScope(one), port));
    } catch (SocketException e) {
      return Stream.empty();
    }
  }

  private static boolean isUp(NetworkInterface one) {
    try {
      return one.isUp();
    } catch (SocketException e) {
      return false;
    }
  }

  private static InetAddress withoutScope(InetAddress of) {
    return of instanceof Inet6Address ? address(of.getAddress()) : of;
  }

  ByteBuffer encode() {
    ByteBuffer out = ByteBuffer.allocate(MOST_BYTES).put((byte) addresses.size());
    for (InetSocketAddress one : addresses) {
      byte[] address = one.getAddress().getAddress();
      out.put((byte) address.length).put(address).putShort((short) one.getPort());
    }
    return out.flip();
  }

  /**
   * Reads those of the other end. Addresses that cannot be a host's are left out.
   *
   * @throws TransferFailed where there are too many, or an address has another length
   */
  static Candidates read(ByteConnection from) throws IOException {
    int count = Byte.toUnsignedInt(bytes(from, 1).get());
    if (count > MOST) {
      throw new TransferFailed(count + " candidates (expected: at most " + MOST + ")");
    }
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = bytes(from, 1).get();
      if (length != 4 && length != 16) {
        throw new TransferFailed("an address of " + length + " bytes (expected: 4 or 16)");
      }
      byte[] raw = new byte[length];
      ByteBuffer bytes = bytes(from, length + Short.BYTES).get(raw);
      InetAddress address = address(raw);
      int port = Short.toUnsignedInt(bytes.getShort());
      boolean isHost =
          !address.isAnyLocalAddress()
              && !address.isMulticastAddress()
              && !address.equals(BROADCAST);
      if (isHost && port != 0) {
        addresses.add(new InetSocketAddress(address, port));
      }
    }
    return new Candidates(addresses);
  }

  private static ByteBuffer bytes(ByteConnection from, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count);
    Channels.readFully(from, bytes);
    return bytes.flip();
  }

  private static InetAddress broadcast() {
    return address(new byte[] {-1, -1, -1, -1});
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException("an address of " + bytes.length + " bytes", e);
    }
  }
}
