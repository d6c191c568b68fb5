package io.cascade.gateway.tunnel;

import java.util.Locale;

/** Manner in which a session carries packets. */
public enum DeliveryMode {
  /** Each packet leaves as soon as it is decoded. */
  DATAGRAM,
  /** All in order, by blocks: as the TCP/NC tunnel does, to compare with. */
  ORDERED;

  String words() {
    return name().toLowerCase(Locale.ROOT);
  }
}
