package io.cascade.relay.proxy;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;

/** Outcome of a handshake with a proxy's client. */
enum HandshakeOutcome {
  /** A stream starts directly. */
  DIRECT(""),
  /** A stream starts through a chain. */
  CHAIN(""),
  /** The bytes are not of the port's protocol, or too many. */
  MALFORMED("the client does not speak this port's protocol"),
  /** BIND, UDP ASSOCIATE, or an HTTP method that is not CONNECT. */
  UNSUPPORTED("this port does not support the request"),
  /** The client's address is not allowed. */
  SOURCE_REFUSED("its address is not in --allow-source"),
  /** User and password are missing or wrong. */
  UNAUTHENTICATED("user and password are missing or wrong"),
  /** No rule allows the destination. */
  DESTINATION_REFUSED("no rule of --allow-destination allows that"),
  /** The handshake was not complete in time. */
  TIMED_OUT(""),
  /** The client closed the connection. */
  GONE(""),
  /** Too many handshakes are under way. */
  LIMIT("too many handshakes are under way");

  private final String words;

  /**
   * @param words why a client was refused; empty if it was not
   */
  HandshakeOutcome(String words) {
    this.words = words;
  }

  /** Whether this relay refused the client. */
  boolean isRefusal() {
    return !words.isEmpty();
  }

  /** The reason why a client was refused; empty if it was not. */
  String words() {
    return words;
  }

  /** The outcome's name in metrics. */
  String code() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Counters by outcome. */
  static final class Counts {
    private final Map<HandshakeOutcome, LongAdder> counts = new EnumMap<>(HandshakeOutcome.class);

    Counts() {
      for (HandshakeOutcome outcome : values()) {
        counts.put(outcome, new LongAdder());
      }
    }

    void add(HandshakeOutcome outcome) {
      LongAdder count = counts.get(outcome);
      if (count != null) {
        count.increment();
      }
    }

    Map<String, Long> byCode() {
      Map<String, Long> sums = new TreeMap<>();
      counts.forEach((outcome, count) -> sums.put(outcome.code(), count.sum()));
      return sums;
    }
  }
}
