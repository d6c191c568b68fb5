package io.cascade.gateway.tunnel;

import java.util.Locale;

/** How a session delivers packets. */
public enum DeliveryMode {
  /** Each packet is delivered as soon as it is decoded. */
  DATAGRAM,
  /** All packets are delivered in order, by blocks, as the TCP/NC tunnel does, for comparison. */
  ORDERED;

  String words() {
    return name().toLowerCase(Locale.ROOT);
  }
}
