package io.cascade.client.ways;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;

/** Where senders find a receiver, as far as its host can tell. */
public final class ReceiveAddress {
  /** An address that RFC 5737 reserves; nothing is sent to it. */
  private static final InetSocketAddress OUTWARDS = new InetSocketAddress("192.0.2.1", 9);

  private ReceiveAddress() {}

  /** This host's address on its route outwards; its name where it has no such route. */
  public static String outwards() {
    try (DatagramChannel channel = DatagramChannel.open()) {
      channel.connect(OUTWARDS);
      InetAddress own = ((InetSocketAddress) channel.getLocalAddress()).getAddress();
      if (!own.isAnyLocalAddress()) {
        return own.getHostAddress();
      }
    } catch (IOException | RuntimeException e) {
      // There is no such route.
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "127.0.0.1";
    }
  }
}
